import type { AnyImplementation } from '../../src/definition/index.js';
import { entityId, LOSE_EVENT, RETRY_EVENT } from '../../src/protocol/names.js';
import type { Successor } from '../../src/protocol/snapshot.js';
import type { Random, Simulation } from '../../src/simulation/index.js';

/**
 * Acts as an operator does now and then: runs again what has used up its attempts, and marks a successor as lost that
 * does not live any more. S3.5, S4.4
 */
export function operate(
  sim: Simulation,
  random: Random,
  implementations: readonly AnyImplementation[],
): readonly Promise<unknown>[] {
  if (!random.chance(0.5)) return [];
  const loses = random.chance(0.1);
  const isGone = ({ type, key, life }: Successor) =>
    life !== undefined && !implementations.some(({ entity }) => entity.name === type && sim.exists(entity, key));
  return implementations.flatMap(({ entity }) =>
    ['a', 'b']
      .filter((key) => sim.exists(entity, key))
      .flatMap((key) => {
        const { exhausted, successors } = sim.read(entity, key);
        const gone = loses ? successors.filter(isGone) : [];
        const lost = gone.length > 0 ? random.pick(gone) : undefined;
        return [
          ...(exhausted ? [sim.raiseAny(entity, key, RETRY_EVENT)] : []),
          ...(lost ? [sim.raiseAny(entity, key, LOSE_EVENT, { params: { successor: entityId(lost) } })] : []),
        ];
      }),
  );
}
