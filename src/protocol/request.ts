import { z } from 'zod';
import { actor, TENANT_NAME } from './actor.js';
import type { Described } from './plain.js';
import { livingRef } from './refs.js';

/** Temporal's ids have at most 255 characters with SQL, and an operation's begins with `op/`. */
const LONGEST_OPERATION = 250;

/** An answer that is held back for longer would keep an update's place too long, and its caller without an operation to look at. */
export const LONGEST_HOLD_MS = 5_000;

export const watcher = livingRef.extend({
  /** It has subscriptions, so each report to it has to be judged before an operation can end. S4.2 */
  judges: z.boolean(),
  /** One of its subscriptions asks whether events were accepted, so it is told of that too. S4.3 */
  follows: z.boolean().exactOptional(),
  /** It is told for life, and not only until the operation of its event is over there. S4.3 */
  lasting: z.boolean().exactOptional(),
});

/** An entity that wants to be told where another one settles. */
export interface Watcher extends Described<typeof watcher> {}

export const fence = z.object({
  /** The life of the reserved entity. */
  life: z.string(),
  fence: z.number().int(),
});

/** What shows that an event comes from the owner of a reservation. */
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
    /** The action that raises it waits until everything that it sets off has settled: the name of the wait. S4.2 */
    awaited: z.string().exactOptional(),
    /** Whoever raises it expects that it may be rejected: that is no failure of the operation. S3.6 */
    mayBeRejected: z.boolean().exactOptional(),
    /** Of the reservation under which it is raised: it comes too late when that has ended. S3.6 */
    fence: fence.exactOptional(),
    /** The place of the entity in the tree of the operation, where another entity raises it: `1.2`. */
    position: z.string().exactOptional(),
    /** With an event that creates: what the entity comes to be with. One that exists already ignores it. S2.1 */
    construct: z.record(z.string(), z.unknown()).exactOptional(),
    /** The entity as the caller has seen it: in another life or version, the event is rejected. S6.1 */
    expects: expectedVersion.exactOptional(),
    /**
     * For how many milliseconds the caller would have the answer held back, so that it tells the outcome. Only where it comes
     * alone; at most `LONGEST_HOLD_MS`. S4.7
     */
    holdMs: z.number().int().min(1).max(LONGEST_HOLD_MS).exactOptional(),
    /** Who raises it from outside: the entity decides whether they may. Without one, it is trusted. S6.5 */
    actor: actor.exactOptional(),
    /** The tenant of the entity that raises it, or for which it creates one. S6.5 */
    tenant: z.string().regex(TENANT_NAME).exactOptional(),
  })
  .refine(({ id, operation }) => operation !== undefined || id.length <= LONGEST_OPERATION, {
    path: ['id'],
    message: `at most ${LONGEST_OPERATION} characters, since it names an operation`,
  });

/** An event to raise. */
export interface RaiseRequest extends Described<typeof raiseRequest> {}

/** A typing error must not let somebody through, so nothing else is taken. */
export const signalOptions = z.strictObject({
  /**
   * The request id: the same again runs nothing (S2.5), and its operation has a workflow, `op/<request>`. At most 250
   * characters. Without one, each signal is a new request.
   */
  request: z
    .string()
    .min(1)
    .max(LONGEST_OPERATION)
    // It names a workflow, and rows of the store.
    .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, 'has characters that no id can have')
    .exactOptional(),
  /** For whom it is sent: what they may not do is dropped. Without one, it is trusted. S6.5 */
  actor: actor.strict().exactOptional(),
});

/** What can follow the parameters of a plain signal. */
export interface SignalOptions extends Described<typeof signalOptions> {}
