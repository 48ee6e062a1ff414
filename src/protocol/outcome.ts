import { z } from 'zod';
import { errorRecord, type ErrorRecord } from './error-record.js';
import type { Described } from './plain.js';
import { rejection } from './rejection.js';

export const engagementOutcome = z.object({
  state: z.string(),
  version: z.number().int(),
  health: z.enum(['normal', 'error']),
  /** Whether the entity rests for its successors, so that the operation goes on. */
  waiting: z.boolean(),
  /** Whether the entity was deleted, so that its workflow ends. */
  closed: z.boolean().exactOptional(),
  /** Whether the entity was lost; `state` is its last known state. S4.4 */
  lost: z.boolean().exactOptional(),
  /** The last error that no later attempt made good. */
  error: errorRecord.exactOptional(),
  /** The rejection of an event that had waited for an action first. */
  rejection: rejection.exactOptional(),
  /** Whether it was cut short: its action was aborted, or an event of another operation took its place. S4.8 */
  canceled: z.boolean().exactOptional(),
  /** Whether an event of another operation took its place. Nobody judges that. S4.8 */
  interrupted: z.boolean().exactOptional(),
});

/** How an engagement (one event on one entity until it has settled) ended. */
export interface EngagementOutcome extends Described<typeof engagementOutcome> {}

/** The outcome of an operation that consists of this one event. S5.1 */
export function outcomeOfOnly({
  error,
  rejection,
  health,
  canceled,
}: Pick<EngagementOutcome, 'error' | 'rejection' | 'health' | 'canceled'>): 'success' | 'failed' | 'canceled' {
  if (error || rejection || health === 'error') return 'failed';
  return canceled ? 'canceled' : 'success';
}

/** Why such an operation has failed, if it was not rejected: the reported error, or else the state. S5.1 */
export function errorOfOnly({
  error,
  health,
  state,
}: Pick<EngagementOutcome, 'error' | 'health' | 'state'>): ErrorRecord | undefined {
  return error ?? (health === 'error' ? errorOfState(state) : undefined);
}

/** The error of an entity that rests in an error state, where no action has given a reason. */
export function errorOfState(state: string): ErrorRecord {
  const message = `It has ended in ${state}, which is an error state, and no action has reported why.`;
  return { kind: 'needs_operator', code: 'error_state', message };
}
