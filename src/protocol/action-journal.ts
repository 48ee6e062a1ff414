import { z } from 'zod';
import { makeShareable } from '../definition/shareable.js';
import type { Described } from './plain.js';

/** How something ended that an action had waited for, as a later run takes it up. A1 */
export interface JournalEntry {
  /** Names it within the action. */
  readonly key: string;
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
});
makeShareable(journalledError);
export type JournalledError = Described<typeof journalledError>;

/** What a running action has learnt so far, so that the next run can bring its code to the same place. */
export interface Journal {
  /** In the order in which they ended. */
  readonly ended: readonly JournalEntry[];
  /** The times that the action was told, in order, in milliseconds since 1970. */
  readonly times: readonly number[];
}
