import { z } from 'zod';
import { errorRecord, type ErrorRecord } from './error-record.js';
import type { Described } from './plain.js';
import { rejection } from './rejection.js';

export const engagementOutcome = z.object({
  state: z.string(),
  version: z.number().int(),
  health: z.enum(['normal', 'error']),
  /** The entity rests for its successors: the operation goes on. */
  waiting: z.boolean(),
  /** The entity was deleted: its workflow ends. */
  closed: z.boolean().exactOptional(),
  /** The entity has ended without a word; `state` is the last one that is known. S4.4 */
  lost: z.boolean().exactOptional(),
  /** The last error that no retry made good. */
  error: errorRecord.exactOptional(),
  /** The event had waited for an action and was then rejected. */
  rejection: rejection.exactOptional(),
  /** It was cut short: its action was aborted, or an event of another operation took its place. S4.8 */
  canceled: z.boolean().exactOptional(),
  /** An event of another operation took its place: no one judges that. S4.8 */
  interrupted: z.boolean().exactOptional(),
});

/** How an engagement (one event on one entity until it has settled) ended. */
export interface EngagementOutcome extends Described<typeof engagementOutcome> {}

/** How an operation ends that consists of this one event. S5.1 */
export function outcomeOfOnly({
  error,
  rejection,
  health,
  canceled,
}: Pick<EngagementOutcome, 'error' | 'rejection' | 'health' | 'canceled'>): 'success' | 'failed' | 'canceled' {
  if (error || rejection || health === 'error') return 'failed';
  return canceled ? 'canceled' : 'success';
}

/** Why such an operation has failed, if nobody has rejected it: what was reported, or the state alone. S5.1 */
export function errorOfOnly({
  error,
  health,
  state,
}: Pick<EngagementOutcome, 'error' | 'health' | 'state'>): ErrorRecord | undefined {
  return error ?? (health === 'error' ? errorOfState(state) : undefined);
}

/** The error of an entity that has come to rest in an error state, where no action has said why. */
export function errorOfState(state: string): ErrorRecord {
  const message = `It has ended in ${state}, which is an error state, and no action has reported why.`;
  return { kind: 'needs_operator', code: 'error_state', message };
}
