import { z } from 'zod';
import { actor, TENANT_NAME } from './actor.js';
import { chain } from './chain.js';
import type { Described } from './plain.js';
import { livingRef } from './refs.js';

/** Temporal's ids have at most 255 characters with SQL, and an operation's begins with `op/`. */
const LONGEST_OPERATION = 250;

/**
 * The longest time for which an answer is held back. A longer one would occupy an update's place too long, and leave the caller
 * without an operation to look at.
 */
export const LONGEST_HOLD_MS = 5_000;

export const watcher = livingRef.extend({
  /** Tells whether it has subscriptions, so that each report to it has to be judged before an operation can end. S4.2 */
  judges: z.boolean(),
  /** Tells whether one of its subscriptions asks if events were accepted, so that it is told of that too. S4.3 */
  follows: z.boolean().exactOptional(),
  /** Tells whether it is told for life, and not only until the operation of its event is over there. S4.3 */
  lasting: z.boolean().exactOptional(),
});

/** An entity that wants to be told where another one settles. */
export interface Watcher extends Described<typeof watcher> {}

export const fence = z.object({
  /** The life of the reserved entity. */
  life: z.string(),
  fence: z.number().int(),
});

/** The proof that an event comes from the owner of a reservation. */
export interface Fence extends Described<typeof fence> {}

const expectedVersion = z.object({ life: z.string(), version: z.number().int() });

/** One version of one life of an entity. */
export interface ExpectedVersion extends Described<typeof expectedVersion> {}

export const raiseRequest = z
  .object({
    /** The request id: the same id again gives the first outcome. S2.5 */
    id: z.string().min(1).max(900),
    event: z.string().min(1),
    params: z.unknown().optional(),
    /** The operation that it belongs to; without one it opens its own, named by `id`. */
    operation: z.string().min(1).exactOptional(),
    /** The entity that raises it. */
    from: watcher.exactOptional(),
    /** The name of the wait, where the action that raises it waits until everything that it sets off has settled. S4.2 */
    awaited: z.string().exactOptional(),
    /** Tells whether the entity that raises it expects that it may be rejected: then a rejection does not fail the operation. S3.6 */
    mayBeRejected: z.boolean().exactOptional(),
    /** The chain of actions in which another entity raises it. S1.5a */
    chain: chain.exactOptional(),
    /** The fence of the reservation under which it is raised. It comes too late when that reservation has ended. S3.6 */
    fence: fence.exactOptional(),
    /** The place of the entity in the tree of the operation, where another entity raises it: `1.2`. */
    position: z.string().exactOptional(),
    /** The values for the entity, with an event that creates. An entity that exists already ignores them. S2.1 */
    construct: z.record(z.string(), z.unknown()).exactOptional(),
    /** The life and version that the caller has seen. In any other one, the event is rejected. S6.1 */
    expects: expectedVersion.exactOptional(),
    /**
     * For how many milliseconds the caller wants the answer held back, so that it tells the outcome. It counts only for an
     * event that comes alone, and is at most `LONGEST_HOLD_MS`. S4.7
     */
    holdMs: z.number().int().min(1).max(LONGEST_HOLD_MS).exactOptional(),
    /**
     * When it came to an address that the entity had made, named by `id`, in milliseconds since 1970. It comes too late when that
     * is closed. A2
     */
    addressedAt: z.number().exactOptional(),
    /** Tells who raises it from outside. The entity decides whether they may. Without an actor, the event is trusted. S6.5 */
    actor: actor.exactOptional(),
    /** The tenant of the entity that raises it, or the tenant for which it creates one. S6.5 */
    tenant: z.string().regex(TENANT_NAME).exactOptional(),
  })
  .refine(({ id, operation }) => operation !== undefined || id.length <= LONGEST_OPERATION, {
    path: ['id'],
    message: `at most ${LONGEST_OPERATION} characters, since it names an operation`,
  });

/** An event to raise. */
export interface RaiseRequest extends Described<typeof raiseRequest> {
  /** Older names of the event, where it has some. The entity that takes it in sets them, nobody else. Q2 */
  readonly formerly?: readonly string[];
}

/** The schema is strict: with a misspelt option, an event could be trusted that should not be. */
export const signalOptions = z.strictObject({
  /**
   * The request id: the same id again runs nothing (S2.5). Its operation has a workflow, `op/<request>`. At most 250
   * characters. Without one, each signal is a new request.
   */
  request: z
    .string()
    .min(1)
    .max(LONGEST_OPERATION)
    // The id names a workflow, and rows of the store.
    .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, 'has characters that no id can have')
    .exactOptional(),
  /** For whom it is sent: what they may not do is dropped. Without an actor, the signal is trusted. S6.5 */
  actor: actor.strict().exactOptional(),
});

/** Describes what can follow the parameters of a plain signal. */
export interface SignalOptions extends Described<typeof signalOptions> {}
