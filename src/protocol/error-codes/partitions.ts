import type { ErrorEntry } from './entry.js';

/** The codes of operations over partitions, and of their jobs. */
export const PARTITION_ERRORS = {
  already_there: {
    meaning: 'The job is at this place.',
    cause: 'It was to be moved to the place where it runs, or where it is pinned.',
    remedy: 'Choose another place, or none.',
    hint: 'Choose another place.',
  },
  attempt_failed: {
    meaning: 'An attempt of a job has failed.',
    cause: 'The code of the job threw an error, which the message has.',
    remedy: 'Nothing, as long as attempts are left. `reeve distributed show NAME` has the next attempt.',
  },
  check_failed: {
    meaning: 'The operation cannot start, since its check failed or gave no answer.',
    cause: 'What the check asks for is slow or locked, no worker makes checks, or its code has a mistake.',
    remedy: 'Try again later. If it stays so, look at the log of the workers that make checks.',
    hint: 'Try again later.',
  },
  ending: {
    meaning: 'The operation runs no jobs any more.',
    cause: 'It was canceled, has failed or has ended.',
    remedy: 'Start another operation for the partitions that are left.',
    hint: 'Start another operation for what is left.',
  },
  executor_lost: {
    meaning: 'The executor of the place has died.',
    cause: 'Its process ended, or was silent for too long.',
    remedy: 'Nothing: the next executor of the place continues the jobs.',
  },
  incompatible_operation: {
    meaning: 'Another operation on the target is in the way.',
    cause: 'The two types, or objects, may not run together.',
    remedy: 'Wait until the operation in `running` has ended, or cancel it.',
  },
  invalid_argument: {
    status: 400,
    meaning: 'The argument of the operation does not fit its schema, or is too large.',
    cause: 'A member is missing or of another type.',
    remedy: 'Correct the members that `issues` names.',
  },
  invalid_request: {
    status: 400,
    meaning: 'The request to the operation is not valid.',
    cause: 'A number is out of its range, or a member is missing.',
    remedy: 'Correct what the message names.',
  },
  job_failed: {
    meaning: 'The job of a partition has failed, and has no attempts left.',
    cause: 'Its code threw an error in each attempt. The message has the last one.',
    remedy: 'Fix the cause, and retry the job while the operation runs: `reeve distributed retry NAME PARTITION`.',
  },
  job_running: {
    meaning: 'The job runs.',
    cause: 'It was to be retried while an executor has it.',
    remedy: 'Wait for its end.',
    hint: 'Wait for its end.',
  },
  job_succeeded: {
    meaning: 'The job has succeeded.',
    cause: 'It was to be retried or moved after its end.',
    remedy: 'Nothing.',
    hint: 'Nothing is left to do.',
  },
  job_waiting: {
    meaning: 'The job waits for its turn.',
    cause: 'It was to be retried before its first attempt.',
    remedy: 'Wait until it runs. A limit of the operation may hold it.',
    hint: 'Wait until it runs.',
  },
  moved: {
    meaning: 'The partition has moved to another place.',
    cause: 'The target has another placement than when the attempt began.',
    remedy: 'Nothing: the job runs at the new place.',
  },
  no_code: {
    meaning: 'The process has no code of this operation type.',
    cause: 'The executor or worker has an older build, or the type is not among its operations.',
    remedy: 'Start the process with the build that has the type.',
  },
  not_placed: {
    meaning: 'The operation does not know yet where its partitions are.',
    cause: 'It has just begun.',
    remedy: 'Try again.',
  },
  operation_failed: {
    meaning: 'The operation over partitions has failed.',
    cause: 'A job has failed without attempts left, or its code gave up. The message has the reason.',
    remedy:
      'Look at its jobs: `reeve distributed show NAME`. Start another operation for the partitions that are left.',
  },
  place_not_eligible: {
    meaning: 'The job cannot run at this place.',
    cause: 'The place has no replica of the partition, or is not its primary.',
    remedy: 'Choose a place with a replica, or move the partition.',
    hint: 'Choose a place that has a replica of the partition.',
  },
  refused: {
    meaning: 'The operation has refused the request.',
    cause: 'Its workflow gave a reason without a code, such as one of a newer version.',
    remedy: 'Read the message. Update the process that has sent the request.',
  },
  terminated: {
    status: 410,
    meaning: 'The workflow of the operation or deployment was terminated.',
    cause: 'An operator terminated it in Temporal. Executors clean up the jobs of an operation.',
    remedy: 'Start another one for what is left.',
    hint: 'Start another one for what is left.',
  },
  unknown_operation_type: {
    status: 400,
    meaning: 'There is no such operation over partitions.',
    cause: 'The name of the type is wrong, or the process has an older build.',
    remedy: 'Use one of the types that the message lists.',
  },
  unknown_partition: {
    status: 400,
    meaning: 'The target has no such partition.',
    cause: 'Partitions are numbered from 0, and the operation may be for some of them only.',
    remedy: 'Use one of the numbers that the message names.',
  },
  unknown_place: {
    status: 400,
    meaning: 'The target has no such place.',
    cause: 'The name is wrong, or the place was removed.',
    remedy: 'Use one of the places that the message lists.',
  },
  unknown_target: {
    status: 404,
    meaning: 'There is no such target with partitions.',
    cause: 'The name is wrong, or the target was removed.',
    remedy: 'Check the name of the target.',
    hint: 'Check the name of the target.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
