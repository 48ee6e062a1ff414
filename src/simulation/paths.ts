import type { AnyEntity } from '../definition/entity.js';
import type { Duration } from '../definition/duration.js';
import { validEvents } from '../kernel/index.js';
import { Rejected } from '../protocol/errors.js';
import type { Simulation } from './simulation.js';

/** An event that is raised, or that a deadline raises after some time. */
interface Step {
  readonly event: string;
  readonly params?: unknown;
  readonly after?: Duration;
}

/** Events on one entity, each when the one before has settled. */
export interface Path {
  readonly entity: AnyEntity;
  readonly events: readonly Step[];
  /** The values for the construction of the entity. */
  readonly construct: Readonly<Record<string, unknown>> | undefined;
}

/** All that events and entities need. */
interface Given {
  /** The parameters of events. */
  readonly examples: Readonly<Record<string, unknown>>;
  readonly construct: Path['construct'];
}

/** The key of the entity that a path is about. */
export const KEY = 'a';
/** Longer than any path that is worth a run. */
const LONGEST = 20;
/** A time in a property is hoped to be over by then. */
const LONG = '30d';
/** How long each event gets to settle, since a waiting state may never end by itself. */
export const PATIENCE = '1d';

/**
 * Raises the events of a path or waits for them, and lets all settle after each.
 * @param stepped is called after each
 */
export async function walk(sim: Simulation, path: Path, stepped: () => void = () => undefined): Promise<void> {
  for (const index of path.events.keys()) {
    await raiseStep(sim, path, index);
    await sim.advance(PATIENCE);
    stepped();
  }
}

/** Raises one event of a path, or waits for it. */
export async function raiseStep(sim: Simulation, { entity, events, construct }: Path, index: number): Promise<void> {
  const { event, params, after } = events[index]!;
  if (after !== undefined) await sim.advance(after);
  else if (index === 0) await sim.createAny(entity, KEY, event, { params, ...(construct && { construct }) });
  else await sim.raiseAny(entity, KEY, event, { params });
}

/**
 * Paths that raise each event in each state where it is valid, as far as a run gets there by itself. No path is the beginning
 * of another.
 */
export async function findPaths(
  entity: AnyEntity,
  { examples, construct }: Given,
  simulation: () => Promise<Simulation>,
): Promise<{ readonly paths: readonly Path[]; readonly untried: readonly string[] }> {
  const initial = Object.keys(entity.states).find((name) => entity.states[name]!.initial)!;
  const seen = new Set([initial]);
  const ends: Path[] = [];
  const untried = new Set<string>();
  const queue: { readonly path: Path; readonly state: string }[] = [
    { path: { entity, events: [], construct }, state: initial },
  ];
  for (let next = queue.shift(); next; next = queue.shift()) {
    let extended = false;
    for (const event of validEvents(entity, next.state)) {
      const step = stepFor(entity, next.state, event, examples);
      if (!step) continue;
      const path: Path = { entity, construct, events: [...next.path.events, step] };
      const state = await stateAfter(path, await simulation());
      if (typeof state !== 'string') {
        untried.add(`${entity.name}.${event}: ${state.problem}`);
        continue;
      }
      extended = true;
      if (seen.has(state) || path.events.length >= LONGEST) {
        ends.push(path);
      } else {
        seen.add(state);
        queue.push({ path, state });
      }
    }
    if (!extended && next.path.events.length > 0) ends.push(next.path);
  }
  return { paths: ends, untried: [...untried] };
}

/** How an event comes in a state; nothing where the entity raises it by itself, when what it waits for is there. */
function stepFor(entity: AnyEntity, state: string, event: string, examples: Given['examples']): Step | undefined {
  if (!entity.events[event]?.internal) return { event, params: examples[event] };
  const { deadline, ended } = entity.states[state]!;
  if (deadline?.raise === event) {
    return { event, after: typeof deadline.after === 'object' ? LONG : (deadline.after ?? LONG) };
  }
  const subscriptions = Object.values(entity.subscriptions);
  const timers = [
    ...Object.values(entity.timers),
    ...Object.values(entity.limits ?? {}),
    ...subscriptions.flatMap(({ timeout }) => timeout ?? []),
  ];
  const byItself = ended === event || [...subscriptions, ...timers].some(({ raise }) => raise === event);
  return byItself ? undefined : { event };
}

async function stateAfter(path: Path, sim: Simulation): Promise<string | { readonly problem: string }> {
  try {
    await walk(sim, path);
    return sim.read(path.entity, KEY).state;
  } catch (thrown) {
    if (!(thrown instanceof Rejected)) throw thrown;
    const { name } = path.entity;
    const { event } = path.events.at(-1)!;
    const remedy = path.entity.events[event]?.internal
      ? `Let the entity that raises it do so, in a 'scenario' or in 'setUp'.`
      : `Give parameters in 'examples': { ${name}: { ${event}: ... } }, or values in 'construct': { ${name}: ... }.`;
    return { problem: `${thrown.message} ${remedy}` };
  }
}
