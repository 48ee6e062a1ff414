import { exhaustedStates } from '../retry-rules.js';
import type { EntityModel } from './model.js';

/** The states of a model from which some way leads to rest: to a stable state that is not waiting. */
export function settlingStates({ states, actions }: EntityModel): ReadonlySet<string> {
  const settling = new Set(
    states.filter(({ stability, waiting }) => stability === 'stable' && !waiting).map(({ name }) => name),
  );
  const leads = (name: string) => [
    ...actions.filter((action) => action.in.includes(name)).flatMap(({ to }) => to),
    ...exhaustedStates(states.find((state) => state.name === name)),
  ];
  for (let before = -1; before !== settling.size;) {
    before = settling.size;
    for (const { name } of states) if (leads(name).some((to) => settling.has(to))) settling.add(name);
  }
  return settling;
}
