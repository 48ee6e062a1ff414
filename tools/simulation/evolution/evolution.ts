import { lowestSchema, type AnyImplementation } from '../../../src/definition/index.js';
import { fakeResource, InvariantViolated, Random, simulate, type Simulation } from '../../../src/simulation/index.js';
import { entityId } from '../../../src/protocol/names.js';
import type { Snapshot } from '../../../src/protocol/snapshot.js';
import { someFaults } from '../faults.js';
import { someMachines } from '../machine.js';
import { answerSomehow, tellSomehow } from '../outside-deeds.js';
import { playScript } from '../script.js';
import { things } from '../things.js';
import { evolve } from './evolve.js';

/** Generated machines that come to newer schemas while they run, and back where their migrations lead back. Q2 @throws InvariantViolated */
export async function simulateEvolution(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0x3e01);
  const outside = new Random(seed ^ 0x0a5f);
  const chances = { random, operator: new Random(seed ^ 0x0be7) };
  let implementations = someMachines(random, outside);
  const fakes = fakeResource(things, {
    make: ({ part }) => ({ made: part }),
    look: ({ name }) => ({ seen: name.length }),
    glance: ({ part }) => ({ made: part }),
    tell: ({ at }, { answerAt }) => tellSomehow(outside, at, answerAt),
    consult: ({ part }, { answer }) => answerSomehow(outside, part, answer),
  });
  const faults = { ...someFaults(random), rollOver: 0.1 + random.next() * 0.3 };
  const sim = simulate(implementations, { seed, faults, resources: [fakes], restAfter: '30s' });
  await playScript(sim, chances, implementations);
  const versions = [implementations];
  for (let version = 1 + random.below(2); version > 0; version--) {
    implementations = implementations.map((each) => (random.chance(0.8) ? evolve(each, random) : each));
    versions.push(implementations);
    sim.replace(implementations);
    await playScript(sim, chances, implementations, `later${version}`);
  }
  if (random.chance(0.7)) {
    const back = implementations.map((each, index) =>
      takenBack(
        each,
        versions.map((all) => all[index]!),
        random,
      ),
    );
    sim.replace(back);
    await playScript(sim, chances, back, 'back');
    if (random.chance(0.5)) sim.replace(implementations);
    else implementations = back;
    await playScript(sim, chances, implementations, 'last');
  }
  await sim.settle();
  for (const { entity } of implementations) {
    for (const key of ['a', 'b'].filter((each) => sim.exists(entity, each))) {
      const problem = whatIsWrong(sim.read(entity, key));
      if (problem === undefined) continue;
      const { steps: step, trace } = sim;
      throw new InvariantViolated({ invariant: 'a migration gets what is stored', problem, seed, step, trace });
    }
  }
  return sim;
}

/** Compares what migrations have told of an entity with what it is. */
function whatIsWrong(snapshot: Snapshot): string | undefined {
  const { properties, schema } = snapshot;
  if (schema === undefined) return undefined;
  const { count = 0, tally = 0, madeFor = schema } = properties as Record<string, number | undefined>;
  const who = entityId(snapshot);
  if (tally > count) return `${who} has counted ${count} actions, and ${tally} when it was migrated`;
  return madeFor === schema ? undefined : `${who} has schema ${schema}, and the contents of schema ${madeFor}`;
}

/** One of the earlier versions to which the migrations of the last one lead back, or that itself. */
function takenBack(last: AnyImplementation, versions: readonly AnyImplementation[], random: Random): AnyImplementation {
  const lowest = lowestSchema(last.entity);
  const reached = versions.filter(({ entity }) => entity.schema >= lowest);
  return random.chance(0.7) ? reached[0]! : reached[random.below(reached.length)]!;
}
