import type { AnyImplementation } from '../../src/definition/index.js';
import { fakeResource, InvariantViolated, Random, simulate, type Simulation } from '../../src/simulation/index.js';
import { ResourceError } from '../../src/protocol/errors.js';
import type { LedgerSizes } from '../../src/protocol/snapshot.js';
import { things } from './things.js';
import { someFaults, someRest } from './faults.js';
import { someMachines } from './machine.js';
import { answerSomehow, tellSomehow } from './outside-deeds.js';
import { playScript } from './script.js';

/** A ledger so small that an entity soon forgets its requests, and has to ask the store. */
function smallLedger(random: Random): LedgerSizes {
  return { recent: 1 + random.below(3), group: 1, block: 1 + random.below(2), blocks: 1 };
}

/** Runs one simulation of generated machines. @throws InvariantViolated */
export async function simulateMachines(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0x5eed);
  // The questions to the outside are chosen apart, so that they change nothing of the rest.
  const outside = new Random(seed ^ 0x0a5f);
  const implementations = someMachines(random, outside);
  const fakes = fakeResource(things, {
    make: ({ part }) => ({ made: part }),
    look: ({ name }) => {
      if (!outside.chance(0.1)) return { seen: name.length };
      throw new ResourceError('engaged', 'Not now.', { retryAfter: outside.pick(['300ms', '5s', '1m']) });
    },
    glance: ({ part }) => ({ made: part }),
    tell: ({ at }, { answerAt }) => tellSomehow(outside, at, answerAt),
    consult: ({ part }, { answer }) => answerSomehow(outside, part, answer),
  });
  const sim = simulate(implementations, {
    ...{ seed, faults: someFaults(random), resources: [fakes] },
    ...someRest(random),
    ...(random.chance(0.5) && { ledgerSizes: smallLedger(random) }),
  });
  // The deeds of operators are chosen apart too.
  await playScript(sim, { random, operator: new Random(seed ^ 0x0be7) }, implementations);
  await sim.settle();
  mustHaveHeard(sim, seed, implementations);
  return sim;
}

/** Checks that each answer from outside was given for the part about which it was asked. A1, A3 */
function mustHaveHeard(sim: Simulation, seed: number, implementations: readonly AnyImplementation[]): void {
  for (const { entity } of implementations) {
    for (const key of ['a', 'b'].filter((each) => sim.exists(entity, each))) {
      const { misheard } = sim.read(entity, key).properties;
      if (typeof misheard !== 'string') continue;
      const problem = `${entity.name}/${key} has ${misheard}`;
      throw new InvariantViolated({ invariant: 'answers are true', problem, seed, step: sim.steps, trace: sim.trace });
    }
  }
}
