import { fakeResource, Random, ResourceError, simulate, type Simulation } from '../../src/simulation/index.js';
import type { LedgerSizes } from '../../src/protocol/snapshot.js';
import { things } from './behaviour.js';
import { someFaults, someRest } from './faults.js';
import { someMachines } from './machine.js';
import { playScript } from './script.js';

/** So small that an entity forgets soon what it was asked for, and has to ask the store. */
function smallLedger(random: Random): LedgerSizes {
  return { recent: 1 + random.below(3), group: 1, block: 1 + random.below(2), blocks: 1 };
}

type Answer = Parameters<Parameters<typeof fakeResource<typeof things>>[1]['consult']>[1]['answer'];

/** Those outside answer soon, late, twice, otherwise, wrongly, or never. */
function someAnswers(random: Random, part: number, answer: Answer): void {
  const afterMs = random.below(20_000);
  const right = { output: { said: part } };
  switch (random.below(9)) {
    case 0:
      return;
    case 1:
      return answer({ error: { code: 'refused', message: 'not today' } }, afterMs);
    case 2:
      answer(right, afterMs);
      return answer(right, afterMs + random.below(90_000));
    case 3:
      answer(right, afterMs);
      return answer({ output: { said: part + 1 } }, random.below(40_000));
    case 4:
      return answer(right, 50_000 + random.below(30_000));
    case 5:
      return answer({ output: { said: 'nothing' } } as never, afterMs);
    case 6:
      throw new ResourceError('unheard', 'It is not known whether anybody was asked.');
    case 7:
      answer(right);
      throw new ResourceError('unheard', 'It is not known whether anybody was asked.');
    default:
      return answer(right, afterMs);
  }
}

/** One simulation of generated machines. @throws InvariantViolated */
export async function simulateMachines(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0x5eed);
  const implementations = someMachines(random);
  const outside = new Random(seed ^ 0xca11);
  const fakes = fakeResource(things, {
    make: ({ part }) => ({ made: part }),
    look: ({ name }) => ({ seen: name.length }),
    consult: ({ part }, { answer }) => someAnswers(outside, part, answer),
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
