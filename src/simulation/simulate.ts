import type { AnyImplementation } from '../definition/actions.js';
import { Simulation, type SimulationOptions } from './simulation.js';

/**
 * Puts entities in a world in memory.
 *
 * ```ts
 * const sim = simulate([website], { seed: 1, resources: [fakeResource(hosting, { deploy: ({ name }) => ({ url: name }) })] });
 * await sim.create(Website, 'blog', 'create');
 * await sim.settle();
 * sim.read(Website, 'blog').state; // 'Live'
 * ```
 */
export function simulate(implementations: readonly AnyImplementation[], options?: SimulationOptions): Simulation {
  return new Simulation(implementations, options);
}
