import type { AnyImplementation } from '../../../src/definition/index.js';
import { InvariantViolated, Random, simulate, type Simulation } from '../../../src/simulation/index.js';
import { drawRound, Leaf, leaf } from './drawn.js';

/** How many declarations are drawn at most until one is accepted. */
const MOST_DRAWN = 200;

/** Machines of which each may go round, and why others were refused. */
interface Rounds {
  readonly implementation: AnyImplementation;
  /** The problems of the declarations that were refused before. */
  readonly refused: readonly string[];
}

/** Draws declarations without care until one is accepted. */
export function someRounds(random: Random): Rounds {
  const refused: string[] = [];
  for (let drawn = 0; drawn < MOST_DRAWN; drawn++) {
    const made = drawRound(random);
    if ('implementation' in made) return { implementation: made.implementation, refused };
    refused.push(...made.problems);
  }
  throw new Error(`none of ${MOST_DRAWN} declarations is accepted: ${refused.slice(-5).join('; ')}`);
}

/** Runs one simulation of a machine that may go round. Whatever it does, it comes to an end, or pauses. @throws InvariantViolated */
export async function simulateRounds(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0x20d5);
  const { implementation } = someRounds(random);
  const { entity } = implementation;
  const sim = simulate([implementation, leaf], {
    seed,
    faults: { crash: 0.02, delay: 0.1, double: 0.1, rollOver: 0.1 },
  });
  await sim.create(entity, 'a', 'go');
  await sim.advance('3s');
  for (let more = random.below(3); more > 0; more--) {
    const event = random.pick(['go', 'leaf'] as const);
    const raised = event === 'go' ? sim.raise(entity, 'a', 'go') : sim.raise(Leaf, random.pick(['a-0', 'a-1']), 'turn');
    await raised.catch(() => undefined);
    await sim.advance('3s');
  }
  mustBeNamed(sim, seed, implementation);
  return sim;
}

/** Checks that an entity that has gone round says so. */
function mustBeNamed(sim: Simulation, seed: number, { entity }: AnyImplementation): void {
  const { exhausted, lastError } = sim.read(entity, 'a');
  if (!exhausted || lastError) return;
  const problem = `${entity.name}/a has given up, and does not say why`;
  throw new InvariantViolated({
    invariant: 'what goes round is named',
    problem,
    seed,
    step: sim.steps,
    trace: sim.trace,
  });
}
