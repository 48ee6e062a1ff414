import type { EngagementOutcome } from './messages.js';

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
