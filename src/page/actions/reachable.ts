import type { ServedType } from '../api/shapes.js';

/**
 * Finds the states to which an entity may come from one, in at most so many steps. An action whose attempts are used up leads to an
 * error state, and the declaration as data does not say to which.
 */
export function reachableFrom(type: ServedType, state: string, steps = Infinity): ReadonlySet<string> {
  const found = new Set([state]);
  let edge = [state];
  for (let step = 0; step < steps && edge.length > 0; step++) {
    edge = edge.flatMap((from) => nextOf(type, from)).filter((each) => !found.has(each));
    for (const each of edge) found.add(each);
  }
  return found;
}

function nextOf({ states, actions }: ServedType, from: string): readonly string[] {
  const moves = actions.filter((action) => action.in.includes(from)).flatMap(({ to }) => to);
  const acts = states.find(({ name }) => name === from)?.stability === 'unstable';
  return acts ? [...moves, ...states.flatMap(({ name, health }) => (health === 'error' ? [name] : []))] : moves;
}

/** Tells whether an event may become valid for an entity in this state, whatever happens to it. */
export function mayComeAgain(type: ServedType, state: string, event: string): boolean {
  const states = type.events.find(({ name }) => name === event)?.in ?? [];
  const reachable = reachableFrom(type, state);
  return states.some((each) => reachable.has(each));
}
