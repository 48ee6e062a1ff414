import { cycleProblems } from '../definition/checks/cycles.js';
import { asDeclared } from '../definition/duration.js';
import { declarationOf } from './declaration.js';
import { flatten, type FlatMachine, type FlatState } from './flat.js';
import type { Machine, StateNode } from './machine.js';
import { movesOf } from './moves.js';
import { capital, small, unique } from './names.js';
import { remarked, type Skeleton, type StateSkeleton } from './skeleton.js';

const ATTEMPTS = { attempts: 5, delay: '1s' } as const;
const UNKNOWN_DELAY = '1m';

/** Makes an entity of a machine, and one of each region of its parallel states. */
export function skeletonsOf(
  { root, context }: Machine,
  wanted: string,
  taken = new Set<string>(),
): readonly Skeleton[] {
  const flat = flatten(root);
  const name = unique(wanted, taken);
  const regions = flat.regions.flatMap((region) =>
    skeletonsOf({ root: region, context: {} }, `${name}${capital(region.key, 'Region')}`, taken),
  );
  return [skeletonOf(flat, root, name, context), ...regions];
}

function skeletonOf(flat: FlatMachine, root: StateNode, name: string, context: Machine['context']): Skeleton {
  const reached = reachedFrom(flat);
  const states = flat.states.filter((each) => reached.has(each.name));
  const lost = flat.states.filter((each) => !reached.has(each.name));
  const remedy = 'Let an event lead to it, and import the machine again.';
  const made: Skeleton = {
    ...{ name, context, limits: {} },
    ...(root.description !== undefined && { description: root.description }),
    states: kindsOf(states, flat.initial),
    ...movesOf(states),
    remarks: [
      ...flat.remarks,
      ...lost.map(({ name: place }) => ({ place, problem: 'is never reached, and left out', remedy })),
    ],
  };
  return withPauses(withWayOut(flat.timers.reduce(withTimer, made)));
}

/** The states to which a way leads from the initial one. */
function reachedFrom({ initial, states }: FlatMachine): ReadonlySet<string> {
  const reached = new Set([initial]);
  for (const name of reached) {
    const { moves, automatic } = states.find((each) => each.name === name)!;
    const ways = [...moves.map(([, each]) => each), automatic?.branches ?? [], automatic?.onError ?? []].flat();
    for (const { to } of ways) if (to !== undefined) reached.add(to);
  }
  return reached;
}

function kindsOf(states: readonly FlatState[], initial: string): Record<string, StateSkeleton> {
  // An entity has one deleted state.
  const deleted = states.find(
    ({ node, automatic, moves }) => node.tags.includes('deleted') && !automatic && moves.length === 0,
  );
  const kinds = states.map((state): readonly [string, StateSkeleton] => {
    const { name, node, automatic, moves } = state;
    const exhausted = automatic?.onError.at(-1)?.to;
    const stays = moves.length > 0 || node.type === 'parallel';
    const kind = automatic ? 'unstable' : stays ? 'stable' : state === deleted ? 'deleted' : 'terminal';
    const options = {
      ...(exhausted !== undefined && { retry: { ...ATTEMPTS, exhausted } }),
      ...(node.tags.includes('error') && kind !== 'deleted' && { health: 'error' }),
      ...(node.description !== undefined && { description: node.description }),
    };
    return [name, { initial: name === initial, kind, options }];
  });
  return Object.fromEntries(kinds);
}

/** A delay of one state is its deadline, and a delay of several is a limit. */
function withTimer(skeleton: Skeleton, { event, delay, in: all }: FlatMachine['timers'][number]): Skeleton {
  const { states, events, limits } = skeleton;
  const [state, ...others] = all.filter((each) => states[each]);
  if (state === undefined || !events[event]) return skeleton;
  const { options, ...kind } = states[state]!;
  if (others.length === 0 && 'deadline' in options) {
    const remedy = `A state has one deadline: raise '${event}' in another way.`;
    return remarked(skeleton, state, 'has several delays', remedy);
  }
  const after = durationOf(delay);
  const named =
    after === undefined
      ? remarked(skeleton, state, `'${delay}' is a delay without a length`, `It is ${UNKNOWN_DELAY} here: set it.`)
      : skeleton;
  const time = { after: after ?? UNKNOWN_DELAY, raise: event };
  const timed = { ...named, events: { ...events, [event]: { ...events[event], internal: true } } };
  if (others.length === 0) {
    return { ...timed, states: { ...states, [state]: { ...kind, options: { ...options, deadline: time } } } };
  }
  const limit = unique(small(event), new Set(Object.keys(limits)));
  return { ...timed, limits: { ...limits, [limit]: { in: [state, ...others], ...time } } };
}

/** Milliseconds as a declaration has them; nothing if the delay is a name or an expression. */
function durationOf(delay: string): string | number | undefined {
  if (!/^\d+$/.test(delay)) return undefined;
  const ms = Math.max(1, Number(delay));
  return ms % 1_000 === 0 ? asDeclared(ms) : ms;
}

/** Adds an event that deletes the entity where nothing else leaves a state. */
function withWayOut(skeleton: Skeleton): Skeleton {
  const { states, events, actions } = skeleton;
  const left = (state: string) =>
    Object.values(actions).some((each) => each.in.includes(state) && each.to.some((to) => to !== state));
  const stuck = Object.keys(states).filter(
    (state) => !['terminal', 'deleted'].includes(states[state]!.kind) && !left(state),
  );
  if (stuck.length === 0) return skeleton;
  const names = Object.keys(states);
  const gone = names.find((each) => states[each]!.kind === 'deleted') ?? unique('Removed', new Set(names));
  const event = unique('remove', new Set([...Object.keys(events), ...Object.keys(actions)]));
  const action = { on: event, in: stuck, to: [gone], branches: [{ to: gone, runs: [] }], onError: [] };
  const added: Skeleton = {
    ...skeleton,
    states: { ...states, [gone]: states[gone] ?? { initial: false, kind: 'deleted', options: {} } },
    events: { ...events, [event]: { in: stuck } },
    actions: { ...actions, [event]: action },
  };
  const remedy = `The event '${event}', which deletes the entity, was added.`;
  return remarked(added, stuck.join(', '), 'would never be left', remedy);
}

/** Gives states that would lead to each other without a pause a wait. */
function withPauses(skeleton: Skeleton): Skeleton {
  const [cycle] = cycleProblems(declarationOf(skeleton));
  const state = cycle?.place.replace('states.', '') ?? '';
  const found = skeleton.states[state];
  if (!found || 'wait' in found.options) return skeleton;
  const states = { ...skeleton.states, [state]: { ...found, options: { wait: '1s', ...found.options } } };
  const remedy = 'It waits for 1 s here. Choose the time.';
  return withPauses(remarked({ ...skeleton, states }, state, 'is part of a loop without a pause', remedy));
}
