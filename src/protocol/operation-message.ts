import { z } from 'zod';
import { engagementOutcome } from './outcome.js';
import type { Described } from './plain.js';
import { entityRef, livingRef } from './refs.js';

const cause = z.object({
  engagement: z.string(),
  /** `LogicalServer/orders` */
  on: z.string(),
  /** Absent in what an older build has sent. */
  event: z.string().exactOptional(),
});

/** An engagement that another one has caused, and the entity that has to end it. */
export interface Cause extends Described<typeof cause> {}

const owedJudgement = z.object({ id: z.string(), by: z.string() });

/** A judgement that is owed, and the entity that owes it. */
export interface OwedJudgement extends Described<typeof owedJudgement> {}

/** An engagement has ended. */
const ended = z.object({
  kind: z.literal('ended'),
  engagement: z.string(),
  participant: livingRef,
  event: z.string(),
  outcome: engagementOutcome,
  /** Tells whether nothing in the operation has caused it: time has raised it at rest. */
  uncaused: z.boolean().exactOptional(),
  /** The engagements that it raised on others: they are open from now on. */
  caused: z.array(cause),
  /** Judgements that are owed for its reports. */
  judgements: z.array(owedJudgement),
  /** Tells whether it was rejected and the entity that raised it did not expect that: the operation has failed. S3.6 */
  unexpected: z.boolean().exactOptional(),
  /** The entity whose action waits until everything that the event sets off has settled. S4.2 */
  awaiter: livingRef.exactOptional(),
  /** The dimensions of the root, as they are now. */
  dimensions: z.record(z.string(), z.string()).exactOptional(),
  /** When the event of the root ended, in milliseconds since 1970. */
  at: z.number().exactOptional(),
  /** How often it was resumed after a failure, if ever. */
  restarts: z.number().int().exactOptional(),
});

/** An entity that rested for its successors has settled since, because of an event of another operation. S4.8 */
const moved = z.object({ kind: z.literal('moved'), participant: livingRef, outcome: engagementOutcome });

const judged = z.object({
  kind: z.literal('judged'),
  judgements: z.array(z.string()),
  /** Engagements that the judgement set off. */
  caused: z.array(cause),
});

/**
 * These judgements come only after a waiting action, or a reservation, has ended. An action that waits for what set them off
 * does not wait for them. S3.8
 */
const deferred = z.object({ kind: z.literal('deferred'), by: z.string(), judgements: z.array(z.string()) });

/**
 * An event that was raised for this operation has been raised before, for another one (`by`, where it is known), which follows
 * it. This one does not wait for it. S3.4, S4.2
 */
const followed = z.object({
  kind: z.literal('followed'),
  participant: livingRef,
  engagement: z.string(),
  by: z.string().exactOptional(),
});

/** An action waits again for an event that had ended before. S3.2, S4.2 */
const waitsAgain = z.object({
  kind: z.literal('await'),
  by: livingRef,
  engagement: z.string(),
  outcome: engagementOutcome,
});

/** An event of another operation was accepted where this one was under way. S4.8 */
const interrupted = z.object({
  kind: z.literal('interrupted'),
  participant: livingRef,
  by: z.string(),
  /**
   * Given where the event is declared to take the place of what was under way: the outcome of what was cut short. The operation
   * does not wait for it any more.
   */
  outcome: engagementOutcome.exactOptional(),
});

/** The answer to an inquiry: the entity knows nothing of these. */
const unknown = z.object({
  kind: z.literal('unknown'),
  participant: livingRef,
  /** The round of the inquiry. */
  round: z.number().int(),
  engagements: z.array(z.string()),
  judgements: z.array(z.string()),
  anotherLife: z.boolean(),
});

/** A participant has reserved an entity for as long as the operation lasts. S3.6 */
const reserved = z.object({ kind: z.literal('reserved'), on: entityRef, wait: z.string() });

/** Somebody asks to cancel the operation. S4.7 */
const cancel = z.object({ kind: z.literal('cancel') });

export const operationMessage = z.discriminatedUnion('kind', [
  ended,
  moved,
  judged,
  deferred,
  followed,
  waitsAgain,
  interrupted,
  unknown,
  reserved,
  cancel,
]);

/** Messages to an operation: late, doubled and reordered ones do no harm. */
export type OperationMessage = Described<typeof operationMessage>;
