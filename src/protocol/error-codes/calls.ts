import type { ErrorEntry } from './entry.js';

/** The codes with which the call of a resource fails. The action that made it gets a `CallFailed`, and is tried again. S5.2 */
export const CALL_ERRORS = {
  begun_otherwise: {
    meaning: 'The call was started before it was declared with `answer: "callback"`.',
    cause: 'The worker has the new declaration, and the call began under the earlier one.',
    remedy: 'Start a worker with the earlier declaration, or abort the action.',
  },
  call_failed: {
    meaning: 'The call failed without a code of its own.',
    cause: 'Temporal ended the activity: it timed out, was terminated, or its failure cannot be read.',
    remedy: "Look at the activity in Temporal's UI, and at the log of the worker.",
  },
  call_revoked: {
    meaning: 'An operator has revoked the call.',
    cause: 'The call waited for an answer from outside, and an operator gave it up: `reeve callbacks revoke`.',
    remedy: 'Nothing: the retry rule of the state decides what follows.',
  },
  call_timed_out: {
    meaning: 'The call was not answered in time.',
    cause:
      'The provider, or the answer from outside, took longer than `timeout` or `within`. The call may still take effect.',
    remedy: 'Make the provider faster, or the time longer. The next attempt has the same idempotency key.',
  },
  canceled: {
    meaning: 'The call was canceled.',
    cause: 'Its action was aborted, or its collector was decided without it.',
    remedy: 'Nothing.',
  },
  cannot_be_asked: {
    meaning: 'A condition on an address could not be checked.',
    cause: 'The connection failed for another reason than that nothing answers there, such as a wrong certificate.',
    remedy: 'Correct the address, or what stands in the way of the connection. The message has the error.',
  },
  invalid_input: {
    meaning: 'The input of the call does not fit its schema.',
    cause:
      'The action gave another value than the contract of the resource declares, or the worker has another contract.',
    remedy: 'Correct the members that the message names. Deploy the contract to actions and workers together.',
  },
  invalid_output: {
    meaning: 'The provider, or the answer from outside, gave a value that does not fit the schema.',
    cause: 'The contract declares another output.',
    remedy: 'Correct the provider, or its contract.',
  },
  no_affinity: {
    meaning: 'The call asked for the affinity of a worker that has none.',
    cause: 'The worker was made without `affinity: true`.',
    remedy: 'Make the worker with `createWorker({ ..., affinity: true })`.',
  },
  no_callback_address: {
    meaning: 'The call is answered from outside, and the worker has no callback address.',
    cause: '`callbacks` of the worker is not set.',
    remedy: 'Pass `callbacks: { url, keys }` to `createWorker`, or set `REEVE_CALLBACK_URL`.',
  },
  output_too_large: {
    meaning: 'The output of the call is too large.',
    cause: 'It has more bytes of JSON than [the limits](../limits.md) permit.',
    remedy: 'Keep the data outside, and let the provider give its address.',
  },
  provider_cut_off: {
    meaning: 'The process of providers was ended while it made this call.',
    cause: 'The provider blocked the process, used too much memory, or ended it.',
    remedy: 'Let the provider await what takes long, and limit what it keeps in memory. The message names the place.',
  },
  unknown_call: {
    meaning: 'The worker has no provider of this call.',
    cause: 'The resource is not among the `resources` of the worker, or the worker has an older build.',
    remedy: 'Add the resource to the worker with `implementResource`.',
  },
  worker_ended: {
    meaning: 'The worker ended before it made the call.',
    cause: 'The worker was shut down.',
    remedy: 'Nothing: another worker makes the call.',
  },
  worker_gone: {
    meaning: 'The one worker that may make the call is gone, or was busy for too long.',
    cause: 'The call has `on: { worker }`, and that worker has ended.',
    remedy: 'Begin again with a call that any worker can make.',
  },
  worker_lost: {
    meaning: 'Workers were lost again and again while they made this call.',
    cause: 'The provider ends the process, uses all its memory, or computes for long without a pause.',
    remedy: 'Read the logs of the workers, and fix the provider.',
  },
  workflow_failed: {
    meaning: 'The workflow that the call runs has failed without a code of its own.',
    cause: 'It threw an error, timed out, or was terminated. The message has the error.',
    remedy:
      'Look at that workflow in Temporal. Let it throw an `ApplicationFailure` with a `type`, which becomes the code.',
  },
  wrong_address: {
    meaning: 'The address of a condition has a scheme that it does not support.',
    cause: 'It has to begin with the scheme that the message names.',
    remedy: 'Correct the address.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
