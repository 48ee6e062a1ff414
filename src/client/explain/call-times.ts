import type { temporal } from '@temporalio/proto';
import { protoMilliseconds } from './timestamp.js';

type Shown = Pick<
  temporal.api.workflow.v1.IPendingActivityInfo,
  'scheduledTime' | 'lastStartedTime' | 'lastHeartbeatTime' | 'nextAttemptScheduleTime' | 'pauseInfo'
>;

/** The times of a call, in milliseconds since 1970. */
export interface CallTimes {
  /** When it was made. Where only Temporal can be asked: when this execution was queued, or started. */
  readonly since: number;
  readonly startedAt?: number;
  readonly heartbeatAt?: number;
  readonly nextAttemptAt?: number;
}

/**
 * Gives the times of a call. Temporal shows when it was queued only while it is queued, and the heartbeat of
 * an earlier execution until this one has sent one.
 */
export function callTimes(shown: Shown, isRunning: boolean, now: number): CallTimes {
  const queuedAt = protoMilliseconds(shown.scheduledTime);
  const startedAt = protoMilliseconds(shown.lastStartedTime);
  const heartbeatAt = protoMilliseconds(shown.lastHeartbeatTime);
  const nextAttemptAt = protoMilliseconds(shown.nextAttemptScheduleTime);
  const isOwn = heartbeatAt !== undefined && (startedAt === undefined || heartbeatAt >= startedAt);
  return {
    since: queuedAt ?? startedAt ?? protoMilliseconds(shown.pauseInfo?.pauseTime) ?? now,
    ...(isRunning && startedAt !== undefined && { startedAt }),
    ...(isOwn && { heartbeatAt }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt }),
  };
}
