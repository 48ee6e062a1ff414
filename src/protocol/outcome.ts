import { z } from 'zod';
import { errorRecord, type ErrorRecord } from './error-record.js';
import type { Described } from './plain.js';
import { rejection } from './rejection.js';

export const engagementOutcome = z.object({
  state: z.string(),
  version: z.number().int(),
  health: z.enum(['normal', 'error']),
  /**
   * True where it was in an error state before, not by the same operation, and the event was not to lead it out of it. Then the
   * state is no failure of the event. S5.1
   */
  wasInError: z.boolean().exactOptional(),
  /** Is true if the entity rests for its successors, so that the operation continues. */
  waiting: z.boolean(),
  /** Tells whether the entity was deleted, so that its workflow ends. */
  closed: z.boolean().exactOptional(),
  /** Tells whether the entity was lost; `state` is its last known state. S4.4 */
  lost: z.boolean().exactOptional(),
  /** The last error that no later attempt made good. */
  error: errorRecord.exactOptional(),
  /** The rejection of an event that had waited for an action first. */
  rejection: rejection.exactOptional(),
  /** Tells whether it was cut short: its action was aborted, or an event of another operation took its place. S4.8 */
  canceled: z.boolean().exactOptional(),
  /** Tells whether an event of another operation took its place. Nobody judges that. S4.8 */
  interrupted: z.boolean().exactOptional(),
});

/** How an engagement (one event on one entity until it has settled) ended. */
export interface EngagementOutcome extends Described<typeof engagementOutcome> {}

type Standing = Pick<EngagementOutcome, 'health' | 'wasInError'>;

/** Tells whether the state in which an event left the entity is a failure of the event. S5.1 */
export function failedInState({ health, wasInError = false }: Standing): boolean {
  return health === 'error' && !wasInError;
}

/** The outcome of an operation that consists of this one event. S5.1 */
export function outcomeOfOnly({
  error,
  rejection,
  canceled,
  ...standing
}: Standing & Pick<EngagementOutcome, 'error' | 'rejection' | 'canceled'>): 'success' | 'failed' | 'canceled' {
  if (error || rejection || failedInState(standing)) return 'failed';
  return canceled ? 'canceled' : 'success';
}

/** Why such an operation has failed, if it was not rejected: the reported error, or else the state. S5.1 */
export function errorOfOnly({
  error,
  state,
  ...standing
}: Standing & Pick<EngagementOutcome, 'error' | 'state'>): ErrorRecord | undefined {
  return error ?? (failedInState(standing) ? errorOfState(state) : undefined);
}

/** The code of an error that says no more than that an entity has ended in an error state. */
export const ERROR_STATE = 'error_state';

/** The error of an entity that rests in an error state, where no action has given a reason. */
export function errorOfState(state: string): ErrorRecord {
  const message = `It has ended in ${state}, which is an error state, and no action has reported why.`;
  return { kind: 'needs_operator', code: ERROR_STATE, message };
}
