import type { FlatState } from './flat.js';
import { small, unique } from './names.js';
import type { ActionSkeleton, Branch, Skeleton } from './skeleton.js';

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
  const actions = new Map<string, ActionSkeleton>();
  const add = (wanted: string, action: Omit<ActionSkeleton, 'to'>) => {
    const to = targets([...action.branches, ...action.onError]);
    actions.set(unique(small(wanted), new Set(actions.keys())), { ...action, to });
  };
  for (const [on, each] of groups) {
    for (const group of each) add(each.length === 1 ? on : `${on} in ${group.in[0]}`, { on, ...group, onError: [] });
  }
  for (const { name: state, automatic } of states) {
    if (!automatic) continue;
    const { name, onError, ...own } = automatic;
    const chosen = onError.filter(({ runs }, index) => index < onError.length - 1 || runs.length > 0);
    add(name, { in: [state], ...own, onError: chosen });
  }
  return {
    events: Object.fromEntries([...groups].map(([event, each]) => [event, eventOf(states, each)])),
    actions: Object.fromEntries(actions),
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
