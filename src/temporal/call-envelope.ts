import type { CallbackQuestion, WithdrawalReason } from '../protocol/callback.js';

/** Describes what an activity gets: the call's input, and the key that makes it safe to repeat. S3.4 */
export interface CallEnvelope {
  readonly input: unknown;
  readonly idempotencyKey: string;
  /** The operation that it belongs to. S4.8 */
  readonly operation?: string;
  /** The id of the event that it is made for. S5.5 */
  readonly event?: string;
  /** The call is only asked: its answer comes from outside, to this question. A1 */
  readonly question?: CallbackQuestion;
  /** The question of this id was closed without an answer. A3 */
  readonly withdrawn?: { readonly id: string; readonly reason: WithdrawalReason };
}

/** The details that an activity tells with its failure. */
export interface FailureDetail {
  readonly stack?: string | undefined;
  /** How often a worker was lost before, in the middle of the call. S5.1 */
  readonly restarts?: number;
  /** How long no other attempt is to begin. S3.5 */
  readonly retryAfterMs?: number;
}

/** How much longer than its time limit an execution may take, in milliseconds: the worker ends it, and Temporal only where that fails. */
export const MARGIN_MS = 60_000;
