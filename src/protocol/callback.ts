import { z } from 'zod';
import { makeShareable } from '../definition/shareable.js';
import type { Described } from './plain.js';
import type { LivingRef } from './refs.js';

/** The schema of an answer: each caller has one of its own, since those of the kernel cannot be changed. */
export function answerSchema() {
  return z.union([
    z.strictObject({ output: z.unknown() }).refine((answer) => 'output' in answer, { message: 'name output or error' }),
    z.strictObject({ error: z.object({ code: z.string().min(1).max(100), message: z.string().max(10_000) }) }),
  ]);
}

export const callbackAnswer = answerSchema();
makeShareable(callbackAnswer);

/** The answer to a call that comes from outside: its output, or why it has none. A1 */
export type CallbackAnswer = Described<typeof callbackAnswer>;

/** The last moment until which an answer can be awaited: the end of the year 9999, in milliseconds since 1970. */
export const LATEST_UNTIL = Date.UTC(10_000, 0) - 1;

/** A round in which a question is asked outside. */
export interface CallbackRound {
  /** The request id of the answer. */
  readonly id: string;
  /** Until when it may be answered, in milliseconds since 1970. */
  readonly until: number;
}

/** Whose question it is: what a signed address says. */
export interface CallbackQuestion extends CallbackRound {
  readonly of: LivingRef;
  /** The call that is answered: `approvals.ask`. */
  readonly call?: string;
  /** The event that the answer raises; none where it answers a call. */
  readonly event?: string;
  /** The operation that the call belongs to. */
  readonly operation?: string;
}

/** An address by which an event can be raised once from outside. A2 */
export interface EventAddress extends CallbackRound {
  readonly event: string;
  /** Made in milliseconds since 1970. */
  readonly madeAt: number;
  /** Tells whether the action that has made it has ended well. Until then, what comes to it waits. */
  readonly open: boolean;
  /** The action that has made it. Absent in snapshots of before. */
  readonly by?: string;
}

/**
 * Why a call can be answered no more. `superseded`: a collector was decided without it. `revoked`: an operator has given it up. A3
 */
export type CallbackEnd = 'answered' | 'failed' | 'timed out' | 'aborted' | 'superseded' | 'revoked';

/**
 * Why a question was closed without an answer. `left`: the action is over that has asked, or its state. `superseded`: a collector was
 * decided without it, or the action has asked something else instead.
 */
export type WithdrawalReason = Exclude<CallbackEnd, 'answered'> | 'left';

/** A question that was closed without an answer, and of which its provider has yet to be told. A3 */
export interface QuestionWithdrawal {
  /** The id of the round in which it was asked. */
  readonly id: string;
  /** `approvals.ask` */
  readonly call: string;
  readonly idempotencyKey: string;
  readonly input: unknown;
  readonly reason: WithdrawalReason;
}

/** A call whose answer comes from outside, as its entity remembers it. */
export interface CallbackCall extends CallbackRound {
  /** The same in all its rounds. S3.4 */
  readonly idempotencyKey: string;
  /** `approvals.ask` */
  readonly call: string;
  /** The action that has called. */
  readonly action: string;
  /** Of the input: another input is another question. */
  readonly fingerprint: string;
  /** All that the provider is told when it is closed without an answer, where it is told then. None from when it is over. A3 */
  readonly withdrawal?: { readonly input: unknown };
  /** From 1. A question that is asked anew has a new round, and the address of the one before is closed. */
  readonly round: number;
  /** In milliseconds since 1970. */
  readonly askedAt: number;
  /** The provider has made its request to the outside. */
  readonly asked?: true;
  readonly answer?: CallbackAnswer;
  readonly end?: CallbackEnd;
}
