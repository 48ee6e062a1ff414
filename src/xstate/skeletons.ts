import { asDeclared, parseDuration } from '../definition/duration.js';
import { checked, withPauses } from './checked.js';
import { flatten, type FlatMachine, type FlatState } from './flat.js';
import { leavesOf, type Machine, type StateNode } from './machine.js';
import { movesOf } from './moves.js';
import { capital, small, unique } from './names.js';
import { remarked, type Skeleton, type StateSkeleton } from './skeleton.js';

const ATTEMPTS = { attempts: 5, delay: '1s' } as const;
const UNKNOWN_DELAY = '1m';
/** Characters of JSON. */
const LONGEST_VALUE = 40;

/** Makes an entity of a machine; of one that is parallel, and of each parallel state, an entity for each region. */
export function skeletonsOf({ root, context }: Machine, name: string): readonly Skeleton[] {
  const names = new Set<string>();
  if (root.type !== 'parallel') return skeletonsFrom(root, name, context, names);
  const regions = root.states.filter((region) => leavesOf(region).length > 0);
  const shared = root.on.map(([event]) => `, and '${event}' is for all of them`).join('');
  const remark = {
    place: 'the machine',
    problem: `is parallel: ${root.states.map(({ key }) => key).join(', ')}${shared}`,
    remedy: 'Each region is an entity of its own here. Raise an event that several of them take on each.',
  };
  return regions.flatMap((region, index) => {
    const [first, ...others] = skeletonsFrom(region, regionName(name, region), index === 0 ? context : {}, names);
    return [index === 0 ? { ...first!, remarks: [remark, ...first!.remarks] } : first!, ...others];
  });
}

function skeletonsFrom(
  root: StateNode,
  wanted: string,
  context: Machine['context'],
  names: Set<string>,
): readonly Skeleton[] {
  const flat = flatten(root);
  const name = unique(wanted, names);
  return [
    skeletonOf(flat, root, name, context),
    ...flat.regions.flatMap((region) => skeletonsFrom(region, regionName(name, region), {}, names)),
  ];
}

/** A name as long as the first line of its declaration allows. */
function regionName(name: string, { key }: StateNode): string {
  const region = capital(key, 'Region');
  return name.length + region.length > 40 ? region : `${name}${region}`;
}

function skeletonOf(flat: FlatMachine, root: StateNode, name: string, context: Machine['context']): Skeleton {
  const reached = reachedFrom(flat);
  const states = flat.states.filter((each) => reached.has(each.name));
  const lost = flat.states.filter((each) => !reached.has(each.name));
  const made: Skeleton = {
    ...{ name, context, limits: {} },
    ...(root.description !== undefined && { description: root.description }),
    states: kindsOf(states, flat.initial),
    ...movesOf(states),
    remarks: [
      ...flat.remarks,
      ...lost.map(({ name: place }) => ({
        ...{ place, problem: 'is never reached, and left out' },
        remedy: 'Let an event lead to it, and import the machine again.',
      })),
    ],
  };
  const timed = flat.timers.reduce((skeleton, timer) => withTimer(skeleton, timer), made);
  return checked(withPauses(withWayOut(withShortContext(timed))));
}

/** A delay of one state is its deadline, and a delay of several is a limit. */
function withTimer(skeleton: Skeleton, { event, delay, in: all }: FlatMachine['timers'][number]): Skeleton {
  const { states, events, limits } = skeleton;
  const [state, ...others] = all.filter((each) => states[each]);
  if (state === undefined || !events[event]) return skeleton;
  const after = durationOf(delay);
  const named =
    after === undefined
      ? remarked(skeleton, state, `'${delay}' is a delay without a length`, `It is ${UNKNOWN_DELAY} here: set it.`)
      : skeleton;
  const timed = { ...named, events: { ...events, [event]: { ...events[event], internal: true } } };
  const time = { after: after ?? UNKNOWN_DELAY, raise: event };
  if (others.length > 0) {
    const limit = unique(small(event), new Set(Object.keys(limits)));
    return { ...timed, limits: { ...limits, [limit]: { in: [state, ...others], ...time } } };
  }
  const { options, ...kind } = states[state]!;
  if ('deadline' in options) {
    return remarked(named, state, 'has several delays', `A state has one deadline: raise '${event}' in another way.`);
  }
  return { ...timed, states: { ...states, [state]: { ...kind, options: { ...options, deadline: time } } } };
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
  const names = new Set(Object.keys(states));
  const gone = [...names].find((each) => states[each]!.kind === 'deleted') ?? unique('Removed', names);
  const event = unique('remove', new Set([...Object.keys(events), ...Object.keys(actions)]));
  const action = { on: event, in: stuck, to: [gone], branches: [{ to: gone, runs: [] }], onError: [] };
  const added: Skeleton = {
    ...skeleton,
    states: { ...states, [gone]: states[gone] ?? { initial: false, kind: 'deleted', options: {} } },
    events: { ...events, [event]: { in: stuck } },
    actions: { ...actions, [event]: action },
  };
  return remarked(
    added,
    stuck.join(', '),
    'would never be left',
    `The event '${event}', which deletes the entity, was added.`,
  );
}

/** Leaves first values empty that do not fit a line. */
function withShortContext(skeleton: Skeleton): Skeleton {
  const long = Object.entries(skeleton.context).filter(
    ([, value]) => typeof value === 'object' && JSON.stringify(value).length > LONGEST_VALUE,
  );
  return long.reduce((each, [name, value]) => {
    const context = { ...each.context, [name]: Array.isArray(value) ? [] : {} };
    const remedy = 'It is empty here: add the value to the property.';
    return remarked({ ...each, context }, `context.${name}`, 'has a long first value', remedy);
  }, skeleton);
}

/** The states to which a way leads from the initial one. */
function reachedFrom({ initial, states }: FlatMachine): ReadonlySet<string> {
  const reached = new Set([initial]);
  for (const name of reached) {
    for (const state of states.filter((each) => each.name === name)) {
      const ways = [...[...state.moves.values()].flat(), ...(state.automatic?.branches ?? []), ...state.onError];
      for (const { to } of ways) if (to !== undefined) reached.add(to);
    }
  }
  return reached;
}

function kindsOf(states: readonly FlatState[], initial: string): Record<string, StateSkeleton> {
  let hasDeleted = false;
  const kinds = states.map(({ name, node, automatic, moves, onError }): readonly [string, StateSkeleton] => {
    const exhausted = onError.at(-1)?.to;
    const isDeleted = node.tags.includes('deleted') && !hasDeleted;
    const kind = automatic ? 'unstable' : moves.size > 0 ? 'stable' : isDeleted ? 'deleted' : 'terminal';
    hasDeleted ||= kind === 'deleted';
    const options = {
      ...(automatic && exhausted !== undefined && { retry: { ...ATTEMPTS, exhausted } }),
      ...(node.tags.includes('error') && kind !== 'deleted' && { health: 'error' }),
      ...(node.description !== undefined && { description: node.description }),
    };
    return [name, { initial: name === initial, kind, options }];
  });
  return Object.fromEntries(kinds);
}

/** The delay as a declaration has it; nothing if it is a name or an expression. */
function durationOf(delay: string): string | number | undefined {
  const ms = /^\d+$/.test(delay) ? Math.max(1, Number(delay)) : parseDuration(delay as never);
  if (ms === undefined) return undefined;
  const text = asDeclared(ms);
  return parseDuration(text as never) === ms ? text : ms;
}
