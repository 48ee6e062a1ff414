import { z } from 'zod';
import { chain } from './chain.js';
import { engagementOutcome } from './outcome.js';
import type { Described } from './plain.js';
import { livingRef } from './refs.js';

export const judgement = z.object({ id: z.string(), operations: z.array(z.string()) });

/** A judgement that the watcher owes to the operations for a report. S4.2 */
export interface Judgement extends Described<typeof judgement> {}

export const report = z.object({
  kind: z.literal('report'),
  from: livingRef,
  /** The life of the entity that it is meant for. */
  toLife: z.string(),
  /** Grows with each transition; a report that is not newer is ignored. S4.4 */
  version: z.number().int(),
  outcome: engagementOutcome,
  /** The request ids that have ended with this. */
  ended: z.array(z.string()),
  /** Tells whether they had ended before, and were raised again. */
  again: z.boolean().exactOptional(),
  /** Tells whether it rests for its successors, though not for the operation in which the watcher has raised its event. */
  restsForOthers: z.literal(true).exactOptional(),
  /** The operation that follows what was raised again, where it is known. */
  operation: z.string().exactOptional(),
  judgement: judgement.exactOptional(),
  /** The chain of actions that has led to it. S1.5a */
  chain: chain.exactOptional(),
});

/** From a successor to those who watch it: where it has settled, or why it rejected their event. */
export interface Report extends Described<typeof report> {}
