/* One simulation of a drawn world: what people do, until it rests or there was enough of it. */
import type { AnyEntity } from '../../../src/definition/index.js';
import {
  InvariantViolated,
  Rejected,
  simulate,
  type Simulation,
  type SimulationOptions,
} from '../../../src/simulation/index.js';
import { worldOf } from '../../../src/simulation/simulation.js';
import { explainEntity, describeSnapshot, allowedEvents, isSettled } from '../../../src/kernel/index.js';
import { argumentsOf, implement } from './act.js';
import { askCanary } from './canary.js';
import { canary } from './canary-entity.js';
import { fakesOf } from './fakes.js';
import { tooLarge } from './sizes.js';
import type { Request, WorldPlan } from './plan.js';
import { valueOf, type ValuePlan } from './value.js';
import { attempt, Watch } from './watch.js';

/** After so many steps and actions, a world that is always busy has shown enough. */
const ENOUGH_WORK = 1_500;
/** The same for one with large values, of which each step takes longer. */
const ENOUGH_LARGE_WORK = 300;
/** A world that does not end when it has shown enough is left after so much, as times the work: each replay does all of it again. */
const MOST_WORK = 3;
const LONGEST_REST_MS = 6 * 3_600_000;

/** A world that was played, and whether it was left while it was still busy. */
export interface Played {
  readonly sim: Simulation;
  readonly isLeft: boolean;
}

class Left extends Error {}

/** Plays a world. @throws InvariantViolated */
export async function play(plan: WorldPlan, options: SimulationOptions, wholly = true): Promise<Played> {
  const watch = new Watch();
  const implementations = implement(plan, watch);
  const sim = simulate([...implementations, canary], { ...options, resources: fakesOf(plan) });
  const enough = /"of":\d{5}/.test(JSON.stringify(plan)) ? ENOUGH_LARGE_WORK : ENOUGH_WORK;
  const work = () => sim.steps + watch.actions;
  worldOf(sim).beforeStep = () => {
    if (work() > enough * MOST_WORK) throw new Left();
  };
  const busy = { sim, watch, work, isEnough: () => work() >= enough };
  const types = implementations.map(({ entity }) => entity);
  const seed = options.seed ?? 1;
  try {
    await playAll(plan, busy, { types, seed, wholly });
  } catch (thrown) {
    if (!(thrown instanceof Left)) throw thrown;
  }
  const violated = (invariant: string, problem: string) =>
    new InvariantViolated({ invariant, problem, seed, step: sim.steps, trace: sim.trace });
  const large = tooLarge(sim);
  if (large !== undefined) throw violated('all that is sent is small enough', large);
  if (watch.wrong) throw violated(watch.wrong.rule, watch.wrong.problem);
  for (const entity of types)
    for (const problem of misexplained(sim, entity)) throw violated('what does not settle is explained', problem);
  return { sim, isLeft: busy.isEnough() };
}

/** All requests, and the time that they take. @throws InvariantViolated, Left */
async function playAll(
  plan: WorldPlan,
  busy: Busy,
  { types, seed, wholly }: { readonly types: readonly AnyEntity[]; readonly seed: number; readonly wholly: boolean },
): Promise<void> {
  const { sim, watch, isEnough } = busy;
  await askCanary(sim, seed);
  const underWay: Promise<unknown>[] = [];
  for (const request of plan.requests) {
    if (isEnough() || watch.wrong) break;
    const asking = request.ask === 'pass' ? pass(busy, request.ms) : ask(sim, request, plan, types);
    // One after another, where two runs are compared: which of an action and the next request comes first, nothing says.
    const asked = (wholly ? asking : asking.finally(() => pass(busy, 1))).then(undefined, onlyRejected);
    underWay.push(asked);
    if (!wholly) await asked;
  }
  const wrong = (await Promise.all(underWay)).find((result) => result instanceof Error);
  if (wrong && !isHonestlyStuck(wrong, plan)) throw wrong;
  // Where somebody waits for what never comes, no more steps are taken.
  if (wrong) return;
  await rest(busy);
  await askCanary(sim, seed);
}

/** A simulation, and how much it has done. */
interface Busy {
  readonly sim: Simulation;
  readonly watch: Watch;
  readonly work: () => number;
  readonly isEnough: () => boolean;
}

async function ask(
  sim: Simulation,
  request: Exclude<Request, { ask: 'pass' }>,
  plan: WorldPlan,
  types: readonly AnyEntity[],
): Promise<unknown> {
  if (request.ask === 'cancel') return sim.cancel(`request-r${request.id}`);
  const entity = types[request.type];
  const keys = plan.types[request.type]?.keys ?? [];
  const key = keys[typeof request.key === 'number' ? request.key : 0] as string;
  if (!entity || key === undefined) return undefined;
  if (request.ask === 'terminate') return sim.exists(entity, key) ? sim.terminate(entity, key) : undefined;
  const requestId = `request-r${request.id}`;
  const { params, construct, ...raise } = request;
  const given = {
    ...raise,
    ...(request.orValid && { event: validEvent(sim, entity, key, request) }),
    ...(params !== undefined && { params: sent(params) }),
    ...(construct && { construct: sent(construct) }),
  };
  const rest = argumentsOf(given, entity, { requestId }) as [];
  switch (request.ask) {
    case 'create':
      return sim.create(entity, key, request.event, ...rest);
    case 'construct':
      return sim.construct(entity, key, sent(request.construct ?? {}) as Record<string, never>, { requestId });
    case 'raise':
      return sim.raise(entity, key, given.event, ...rest);
    case 'signal':
      return sim.exists(entity, key)
        ? sim.signal(entity, key, request.event, sent(request.params ?? null) as unknown as undefined)
        : undefined;
  }
}

/** The event, or another one without parameters that is valid now. */
function validEvent(
  sim: Simulation,
  entity: AnyEntity,
  key: string,
  { event, id }: { event: string; id: number },
): string {
  const snapshot = attempt(() => sim.read(entity, key));
  const allowed = snapshot ? allowedEvents(entity, snapshot).flatMap((each) => (each.allowed ? [each.event] : [])) : [];
  if (allowed.length === 0 || allowed.includes(event)) return event;
  const bare = allowed.filter((each) => !entity.events[each]!.params && !entity.events[each]!.internal);
  return bare[id % Math.max(1, bare.length)] ?? event;
}

/** Gives what a request brings of a value: JSON. */
function sent(plan: ValuePlan): ValuePlan {
  return attempt(() => JSON.parse(JSON.stringify(valueOf(plan))) as ValuePlan) ?? null;
}

/** Lets time pass, in small pieces where much happens. */
async function pass({ sim, work, isEnough }: Busy, ms: number): Promise<void> {
  const until = sim.now + ms;
  for (let piece = 20; sim.now < until && !isEnough();) {
    const before = work();
    await sim.advance(Math.min(piece, until - sim.now));
    piece = work() - before < 200 ? piece * 4 : Math.max(1, piece / 8);
  }
}

/** Waits until nothing but timers is left, or there was enough. */
async function rest(busy: Busy): Promise<void> {
  const { sim, isEnough } = busy;
  const until = sim.now + LONGEST_REST_MS;
  while (!worldOf(sim).onlyTimersLeft() && sim.now < until && !isEnough()) await pass(busy, 600_000);
}

/** Tells whether somebody waits for an action that was written to wait for ever, and the simulation says which. */
function isHonestlyStuck(wrong: Error, plan: WorldPlan): boolean {
  if (!(wrong instanceof InvariantViolated) || !wrong.problem.startsWith('nothing is left to do')) return false;
  const waits = (action: string) =>
    plan.types.some(({ code }) => code[action]?.deeds.some((deed) => /"forever"/.test(JSON.stringify(deed))));
  return [...wrong.problem.matchAll(/its action '([^']*)' runs and waits for something that never comes/g)].some(
    ([, action]) => waits(action!),
  );
}

/** Takes a rejection as an answer like any other, and so a request that was never right. */
function onlyRejected(thrown: unknown): unknown {
  return thrown instanceof Rejected || thrown instanceof TypeError || thrown instanceof RangeError ? undefined : thrown;
}

/** Lists what is not explained, or not told at all. */
function misexplained(sim: Simulation, entity: AnyEntity): readonly string[] {
  return worldOf(sim)
    .entities()
    .filter(({ subject }) => subject.entity === entity)
    .flatMap(({ subject: { id }, snapshot }) => {
      try {
        describeSnapshot(entity, snapshot);
        allowedEvents(entity, snapshot);
        if (isSettled(entity, snapshot) || explainEntity(entity, snapshot).length > 0) return [];
        return [`${id} in ${snapshot.state} is not settled, and nothing says what it waits for`];
      } catch (thrown) {
        return [`${id} cannot be explained: ${String(thrown)}`];
      }
    });
}
