import type { Branch, FlatState } from './flat.js';
import { small, unique } from './names.js';
import type { ActionSkeleton, Skeleton } from './skeleton.js';

interface Group {
  readonly in: readonly string[];
  readonly branches: readonly Branch[];
}

/** Declares the events of states, and actions: one for all states in which an event does the same. */
export function movesOf(states: readonly FlatState[]): Pick<Skeleton, 'events' | 'actions'> {
  const groups = new Map<string, readonly Group[]>();
  for (const { name, moves } of states) {
    for (const [event, branches] of moves) {
      const known = groups.get(event) ?? [];
      const same = known.find((each) => JSON.stringify(each.branches) === JSON.stringify(branches));
      const others = known.filter((each) => each !== same);
      groups.set(event, [...others, { in: [...(same?.in ?? []), name], branches }]);
    }
  }
  const taken = new Set<string>();
  const handling = [...groups].flatMap(([event, each]) =>
    each.map(({ in: sources, branches }): readonly [string, ActionSkeleton] => {
      const wanted = each.length === 1 ? event : `${event} in ${sources[0]}`;
      return [unique(small(wanted), taken), { on: event, in: sources, to: targets(branches), branches, onError: [] }];
    }),
  );
  const automatic = states.flatMap(
    ({ name, automatic: own, onError }): readonly (readonly [string, ActionSkeleton])[] => {
      if (!own) return [];
      const { branches, service } = own;
      const others = onError.slice(0, -1);
      const action = { in: [name], to: targets([...branches, ...others]), branches, onError: others };
      return [[unique(small(own.name), taken), { ...action, ...(service !== undefined && { service }) }]];
    },
  );
  return {
    events: Object.fromEntries([...groups].map(([event, each]) => [event, eventOf(states, each)])),
    actions: Object.fromEntries([...handling, ...automatic]),
  };
}

function eventOf(states: readonly FlatState[], groups: readonly Group[]): Skeleton['events'][string] {
  const sources = states.filter(({ name }) => groups.some((each) => each.in.includes(name)));
  // A machine that leaves a state ends its service.
  const aborted = sources.filter(
    ({ name, automatic }) =>
      automatic?.service !== undefined &&
      groups.some((each) => each.in.includes(name) && targets(each.branches).length > 0),
  );
  const stays = groups.some(({ branches }) => branches.some(({ to }) => to === undefined));
  return {
    in: sources.map(({ name }) => name),
    ...(aborted.length > 0 && { busy: Object.fromEntries(aborted.map(({ name }) => [name, 'abort'])) }),
    ...(stays && { stays }),
  };
}

function targets(branches: readonly Branch[]): readonly string[] {
  return [...new Set(branches.flatMap(({ to }) => to ?? []))];
}
