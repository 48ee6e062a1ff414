import { WaitRefused } from '../../definition/action-errors.js';

/** Why an action cannot wait: the wait would close this cycle, which begins with the action's own entity. S3.8 */
export function refused(cycle: readonly string[], reserves: boolean): WaitRefused {
  const names = [...cycle, cycle[0]].join(' -> ');
  const remedy = reserves
    ? 'Reserve them in the same order, or do not wait while you hold a reservation.'
    : 'Raise one of the events without waiting.';
  return new WaitRefused(`Deadlock: these entities wait for each other: ${names}. ${remedy}`, cycle, reserves);
}
