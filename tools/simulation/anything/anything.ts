/* `npm run simulate -- --only anything`: entity types drawn from all that the types allow, and not by care. */
import { InvariantViolated, Random, type Simulation } from '../../../src/simulation/index.js';
import { describeEnd } from '../../../src/simulation/end.js';
import { someFaults, someRest } from '../faults.js';
import { codeOf } from './code.js';
import { drawWorld } from './drawn-world.js';
import type { Refusals } from './mend.js';
import type { WorldPlan } from './plan.js';
import { play } from './play.js';
import { shrink } from './shrink.js';

/** A world that fails late is made less small: nobody waits for hours. */
const MOST_STEPS_OF_SHRINKING = 40_000;

/** How many declarations were drawn and accepted, and what `check` has refused, by its reason. */
export interface DrawnSoFar {
  readonly drawn: number;
  readonly accepted: number;
  readonly refusals: readonly (readonly [string, number])[];
}

const refusals: Refusals = new Map();
let [allDrawn, allAccepted] = [0, 0];

/** Gives what was drawn since it was asked last. */
export function takeDrawn(): DrawnSoFar {
  const taken = { drawn: allDrawn, accepted: allAccepted, refusals: [...refusals] };
  refusals.clear();
  [allDrawn, allAccepted] = [0, 0];
  return taken;
}

/** Simulates a drawn world. A failing one is made smaller, and printed as code. @throws InvariantViolated */
export async function simulateAnything(seed: number): Promise<Pick<Simulation, 'steps' | 'trace'>> {
  const { plan, drawn, accepted } = drawWorld(seed, refusals);
  allDrawn += drawn;
  allAccepted += accepted;
  if (!plan) return { steps: 0, trace: ['check refuses it'] };
  try {
    return await examine(plan, seed);
  } catch (thrown) {
    if (!(thrown instanceof InvariantViolated)) throw thrown;
    const fails = async (each: WorldPlan) => (await failureOf(each, seed))?.invariant === thrown.invariant;
    const smaller = await shrink(plan, fails, Math.min(400, Math.ceil(MOST_STEPS_OF_SHRINKING / (thrown.step + 1))));
    const last = (await failureOf(smaller, seed)) ?? thrown;
    const { invariant, step, trace } = last;
    throw new InvariantViolated({ invariant, problem: `${last.problem}\n${codeOf(smaller)}`, seed, step, trace });
  }
}

async function failureOf(plan: WorldPlan, seed: number): Promise<InvariantViolated | undefined> {
  try {
    await examine(plan, seed);
    return undefined;
  } catch (thrown) {
    // A plan that is not valid any more does not fail in the same way.
    return thrown instanceof InvariantViolated ? thrown : undefined;
  }
}

/** With faults, with many new runs; or twice without any, where crashes and new runs must change nothing. */
export async function examine(plan: WorldPlan, seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0xfa117);
  if (random.chance(0.5)) return (await play(plan, { seed, faults: someFaults(random), ...someRest(random) })).sim;
  if (random.chance(0.4)) return (await play(plan, { seed, faults: { rollOver: 0.6 } })).sim;
  const options = { seed, order: 'in-order' } as const;
  const plainly = await play(plan, options, false);
  const renewed = await play(plan, { ...options, faults: { rollOver: 1, until: '40d' } }, false);
  // Where there was enough of one of them, they have not come equally far.
  if (plainly.isLeft || renewed.isLeft) return renewed.sim;
  const differing = differences(endOf(plainly.sim), endOf(renewed.sim));
  if (differing.length === 0) return renewed.sim;
  const { steps: step, trace } = renewed.sim;
  const problem = `without and with them it ends otherwise: ${differing.slice(0, 4).join('; ')}`;
  throw new InvariantViolated({ invariant: 'new runs change nothing', problem, seed, step, trace });
}

/** How it ended, without what names a run, and without which operations took long enough for a workflow. */
function endOf(sim: Simulation): object {
  const { entities, effects, events } = describeEnd(sim);
  const calls = Object.entries(effects).filter(([what]) => !what.includes('echoes.tell'));
  return { entities, effects: Object.fromEntries(calls), events };
}

/** Where two ends differ: `entities.Box/a.state: "Up", "Down"`. */
function differences(one: unknown, other: unknown, path = ''): readonly string[] {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  const text = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 80);
  if (text(one) === text(other) && JSON.stringify(one) === JSON.stringify(other)) return [];
  if (!isObject(one) || !isObject(other)) return [`${path}: ${text(one)}, ${text(other)}`];
  const [first, second] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].flatMap((name) => differences(first[name], second[name], `${path}.${name}`));
}
