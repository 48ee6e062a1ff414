import type { SuccessorStanding } from './successor-standing.js';
import { successorsIn } from './unmet.js';
import type { Wait } from './wait.js';

/** The entities for which an entity waits (`SqlApplication/orders`), each once. Their own waits explain this one. S5.4 */
export function waitedFor(waits: readonly Wait[]): readonly string[] {
  // While something that the owner of the reservation has set off goes on, the owner itself is not waited for.
  const moves = waits.some(({ kind }) => kind === 'action' || kind === 'attempt');
  return [...new Set(waits.filter(({ kind }) => kind !== 'reserved' || !moves).flatMap(entitiesIn))];
}

function entitiesIn(wait: Wait): readonly string[] {
  switch (wait.kind) {
    case 'action':
      return wait.awaits.filter(({ kind }) => kind !== 'answer').map(({ on }) => on);
    case 'reserved':
      return [wait.by];
    case 'subscription':
      return wait.unmet
        .flatMap(successorsIn)
        .filter(mayMove)
        .map(({ entity }) => entity);
    case 'failed':
      return [wait.successor];
    default:
      return [];
  }
}

/** Tells whether a successor is under way or went wrong, so that asking it tells more than its last report. */
function mayMove({ is, health }: SuccessorStanding): boolean {
  return is === 'settled' ? health === 'error' : is !== 'rejected' && is !== 'lost';
}
