import { fakeResource, Random, simulate, type Simulation } from '../../src/simulation/index.js';
import { things } from './behaviour.js';
import { someFaults, someRest } from './faults.js';
import { someMachines } from './machine.js';
import { playScript } from './script.js';

/** One simulation of generated machines. @throws InvariantViolated */
export async function simulateMachines(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0x5eed);
  const implementations = someMachines(random);
  const fakes = fakeResource(things, {
    make: ({ part }) => ({ made: part }),
    look: ({ name }) => ({ seen: name.length }),
  });
  const sim = simulate(implementations, { seed, faults: someFaults(random), resources: [fakes], ...someRest(random) });
  await playScript(sim, random, implementations);
  await sim.settle();
  return sim;
}
