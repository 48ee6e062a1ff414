import type { EntityDescription } from '../../../definition/describe.js';

type Action = EntityDescription['actions'][number];

/** Follows actions that run automatically: those that run, the first ones included, and the states where the entity rests after them. */
export function follow(
  type: EntityDescription,
  first: readonly Action[],
): { readonly actions: readonly Action[]; readonly rests: readonly string[] } {
  const actions = new Set(first);
  const rests = new Set<string>();
  // A set hands out what is added to it meanwhile.
  for (const { to } of actions)
    for (const state of to) {
      if (type.states.find(({ name }) => name === state)?.stability !== 'unstable') rests.add(state);
      else for (const each of type.actions) if (each.on === undefined && each.in.includes(state)) actions.add(each);
    }
  return { actions: [...actions], rests: [...rests] };
}
