import { fakeResource, Random, simulate, type FaultRates } from '../../src/simulation/index.js';
import { things } from './behaviour.js';
import { someMachines } from './machine.js';
import { playScript } from './script.js';

/** One simulation of generated machines. @throws InvariantViolated */
export async function runMachines(seed: number): Promise<number> {
  const random = new Random(seed ^ 0x5eed);
  const implementations = someMachines(random);
  const sim = simulate(implementations, {
    seed,
    faults: someFaults(random),
    resources: [
      fakeResource(things, { make: ({ part }) => ({ made: part }), look: ({ name }) => ({ seen: name.length }) }),
    ],
  });
  await playScript(sim, random, implementations);
  await sim.settle();
  return sim.steps;
}

/** Some runs have no faults, some a few kinds, some all. */
export function someFaults(random: Random): FaultRates {
  const rate = (most: number) => (random.chance(0.6) ? random.next() * most : 0);
  return {
    crash: rate(0.2),
    fail: rate(0.3),
    loseAnswer: rate(0.2),
    slow: rate(0.3),
    delay: rate(0.3),
    double: rate(0.3),
    rollOver: rate(0.3),
  };
}
