import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  scheduleActivity,
  scheduleLocalActivity,
  TimeoutFailure,
} from '@temporalio/workflow';
import { CallFailed } from '../definition/action-errors.js';
import { DEFAULT_TIMEOUT_MS, heartbeatOf, timeoutOf } from '../definition/call-times.js';
import { LONGEST_CODE } from '../definition/limits.js';
import { cut, messageOf } from '../definition/thrown.js';
import { summarise, withdrawalOf, type Call } from '../definition/resource.js';
import type { CallAnswer } from '../kernel/index.js';
import { MARGIN_MS, type CallEnvelope, type FailureDetail } from './call-envelope.js';

/** For how long a provider is tried again that cannot be told of a question that was closed. */
const TOLD_WITHIN = '1h';

/** Temporal's name of the time limit of an execution. */
const START_TO_CLOSE = 'TemporalTimeout:StartToClose';

interface Where {
  /** The task queue, where it is not that of the workflow. */
  readonly taskQueue?: string | undefined;
  /** How long it may wait for a worker, in milliseconds; without it, for ever. */
  readonly takenWithinMs?: number | undefined;
  /** Tells whether a call that was cancelled throws when it has ended, and not at once. */
  readonly untilEnded?: boolean;
  /** Of an inline call: how long it may take at most, in milliseconds, also for its turn. */
  readonly withinMs?: number | undefined;
}

/** Makes a call by an activity, in the scope that is current. @throws what `failureOfCall` understands */
export function makeCall(
  call: Call,
  envelope: CallEnvelope,
  { taskQueue, takenWithinMs, untilEnded = false, withinMs }: Where = {},
): Promise<CallAnswer> {
  const { shape } = call;
  const { WAIT_CANCELLATION_COMPLETED, TRY_CANCEL } = ActivityCancellationType;
  const cancellationType = untilEnded ? WAIT_CANCELLATION_COMPLETED : TRY_CANCEL;
  const options = { startToCloseTimeout: timeoutOf(shape) + MARGIN_MS, cancellationType };
  if (shape.answer === 'inline') {
    const { startToCloseTimeout } = options;
    // With both limits, an execution that ends by the one is begun again, and the other is forgotten.
    const limit = withinMs !== undefined && withinMs < startToCloseTimeout && { scheduleToCloseTimeout: withinMs };
    return scheduleLocalActivity<CallAnswer>(
      call.activity,
      [envelope],
      limit ? { ...limit, cancellationType } : options,
    );
  }
  return scheduleActivity<CallAnswer>(call.activity, [envelope], {
    ...options,
    heartbeatTimeout: heartbeatOf(shape),
    summary: summarise(call, envelope.input),
    ...(taskQueue !== undefined && { taskQueue }),
    ...(takenWithinMs !== undefined && { scheduleToStartTimeout: takenWithinMs }),
    // Temporal repeats a call only after its worker was lost. It does not repeat failures of the resource.
    retry: { initialInterval: '500ms', maximumInterval: '30s', nonRetryableErrorTypes: [START_TO_CLOSE] },
  });
}

/** Tells the provider of a call that a question was closed without an answer. A3 @throws what `failureOfCall` understands */
export async function makeWithdrawal(
  call: string,
  envelope: CallEnvelope,
  taskQueue: string | undefined,
): Promise<void> {
  // An abort of the action does not end this.
  await CancellationScope.nonCancellable(() =>
    scheduleActivity(withdrawalOf(call), [envelope], {
      startToCloseTimeout: DEFAULT_TIMEOUT_MS + MARGIN_MS,
      heartbeatTimeout: heartbeatOf(),
      scheduleToCloseTimeout: TOLD_WITHIN,
      summary: `withdraw ${call}`,
      ...(taskQueue !== undefined && { taskQueue }),
      retry: { initialInterval: '500ms', maximumInterval: '30s' },
    }),
  );
}

/** Tells whether no worker has taken the call in time. */
export function isUntaken(thrown: unknown): boolean {
  const cause = causeOf(thrown);
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

/** Tells whether an inline call was not answered within its time. */
export function isLate(thrown: unknown): boolean {
  const cause = causeOf(thrown);
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_CLOSE';
}

/** Tells whether the call has ended for Temporal because its worker said nothing: what it was doing may go on. */
export function isSilent(thrown: unknown): boolean {
  const cause = causeOf(thrown);
  return cause instanceof TimeoutFailure && cause.timeoutType === 'HEARTBEAT';
}

/** The failure of a resource as `CallFailed`; anything else as it is. */
export function failureOfCall({ activity }: Pick<Call, 'activity'>, thrown: unknown): unknown {
  const cause = causeOf(thrown);
  if (cause instanceof TimeoutFailure) {
    const message = 'No worker completed the call within its time limit. It may still take effect.';
    return new CallFailed(activity, 'call_timed_out', message);
  }
  if (!(cause instanceof ApplicationFailure)) return thrown;
  const { restarts, retryAfterMs } = (cause.details?.[0] ?? {}) as Partial<FailureDetail>;
  const code = cut(cause.type ?? 'call_failed', LONGEST_CODE);
  return new CallFailed(activity, code, messageOf(cause), restarts, retryAfterMs);
}

/** A local activity throws its failure without a wrapper. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof ActivityFailure ? thrown.cause : thrown;
}
