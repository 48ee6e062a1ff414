import { z } from 'zod';
import { makeShareable } from '../definition/shareable.js';
import type { Described } from './plain.js';

/** Something that an action has asked for. A1 */
export interface JournalledAsk {
  /** In words: `outside.consult`. */
  readonly what: string;
  /** The fingerprint of its content. */
  readonly print: string;
}

/** How something ended that an action had asked for, as a later run takes it up. A1 */
export interface JournalEntry {
  /** Its place among all that the action has asked for, from 0. */
  readonly place: number;
  readonly value?: unknown;
  readonly error?: JournalledError;
}

/** An error that was thrown into the action. */
export const journalledError = z.object({
  name: z.enum(['CallFailed', 'WaitTimedOut', 'WaitRefused', 'ReservationEnded', 'LinkTargetAbsent', 'Defect']),
  code: z.string(),
  message: z.string(),
  call: z.string().exactOptional(),
  circle: z.array(z.string()).exactOptional(),
  reserves: z.boolean().exactOptional(),
  retryAfterMs: z.number().optional(),
});
makeShareable(journalledError);
export type JournalledError = Described<typeof journalledError>;

/** A reading that the action was told at once: what that was, and its value where it was not the same as the last one of that kind. */
export type JournalledReading = readonly [what: string, value?: unknown];

/** All that a running action has learnt so far, so that the next run can bring its code to the same place. */
export interface Journal {
  /** All that it has asked for, by place. */
  readonly asked: readonly JournalledAsk[];
  /** In the order in which they ended. */
  readonly ended: readonly JournalEntry[];
  /** All that it has read without awaiting it, such as the time, in order. */
  readonly readings: readonly JournalledReading[];
}
