import { fakeResource, Random, simulate, type Simulation } from '../../src/simulation/index.js';
import type { LedgerSizes } from '../../src/protocol/snapshot.js';
import { things } from './behaviour.js';
import { someFaults, someRest } from './faults.js';
import { someMachines } from './machine.js';
import { playScript } from './script.js';

/** A ledger so small that an entity soon forgets its requests, and has to ask the store. */
function smallLedger(random: Random): LedgerSizes {
  return { recent: 1 + random.below(3), group: 1, block: 1 + random.below(2), blocks: 1 };
}

/** Runs one simulation of generated machines. @throws InvariantViolated */
export async function simulateMachines(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0x5eed);
  const implementations = someMachines(random);
  const fakes = fakeResource(things, {
    make: ({ part }) => ({ made: part }),
    look: ({ name }) => ({ seen: name.length }),
  });
  const sim = simulate(implementations, {
    ...{ seed, faults: someFaults(random), resources: [fakes] },
    ...someRest(random),
    ...(random.chance(0.5) && { ledgerSizes: smallLedger(random) }),
  });
  await playScript(sim, random, implementations);
  await sim.settle();
  return sim;
}
