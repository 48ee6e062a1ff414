import type { EngagementOutcome, ErrorRecord } from './messages.js';

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
