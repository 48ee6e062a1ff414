import type { ServedType } from '../api/shapes.js';

/**
 * Whether an event ends its entity: wherever it leads by itself from there, it is deleted. What comes back by itself on the way,
 * such as a state that undoes, is no end.
 */
export function isDestructive(type: ServedType, event: string): boolean {
  const actions = type.actions.filter(({ on }) => on === event);
  const targets = actions.flatMap(({ to }) => to);
  if (targets.length === 0) return false;
  const ends = restsReachedFrom(type, targets);
  return ends.length > 0 && ends.every((state) => stateOf(type, state)?.ending === 'deleted');
}

function restsReachedFrom(type: ServedType, targets: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const rests = new Set<string>();
  const waiting = [...targets];
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if (seen.has(state)) continue;
    seen.add(state);
    if (stateOf(type, state)?.stability !== 'unstable') rests.add(state);
    else
      for (const { on, in: sources, to } of type.actions)
        if (on === undefined && sources.includes(state)) waiting.push(...to);
  }
  return [...rests];
}

function stateOf(type: ServedType, state: string) {
  return type.states.find(({ name }) => name === state);
}
