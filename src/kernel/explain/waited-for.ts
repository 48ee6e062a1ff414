import type { SuccessorStanding } from './successor-standing.js';
import { successorsIn } from './unmet.js';
import type { Wait } from './wait.js';

/** The entities for which an entity waits (`SqlApplication/orders`), each once: what they wait for explains it. S5.4 */
export function waitedFor(waits: readonly Wait[]): readonly string[] {
  // While something goes on that the holder of a reservation has set off, nobody waits for the holder.
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
    default:
      return [];
  }
}

/** It is under way, or went wrong: there is more to say than what it has told. */
function mayMove({ is, health }: SuccessorStanding): boolean {
  return is === 'settled' ? health === 'error' : is !== 'rejected' && is !== 'lost';
}
