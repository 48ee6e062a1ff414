import type { AnyEntity } from '../entity.js';
import { shortestPaths, stepsFrom } from './paths.js';
import type { ModelProblem } from './problem.js';

/**
 * An entity has to be able to settle from every state that it can reach: in a stable state that is not waiting, or for good.
 */
export function settlingProblems(entity: AnyEntity): readonly ModelProblem[] {
  const paths = shortestPaths(entity);
  const settling = settlingStates(entity);
  return [...paths]
    .filter(([state, path]) => {
      const before = path.at(-1)?.from;
      // The problem is reported once, where the last way to settle is left behind.
      return !settling.has(state) && (before === undefined || settling.has(before));
    })
    .map(([state, path]) => ({
      place: `${entity.name}.states.${state}`,
      problem: 'can never settle: no path leads to a stable state that is not waiting',
      remedy: 'Let an action go to such a state.',
      path,
    }));
}

/** The states from which some way leads to rest. */
function settlingStates(entity: AnyEntity): ReadonlySet<string> {
  const names = Object.keys(entity.states);
  const settling = new Set(names.filter((name) => rests(entity, name)));
  for (let before = -1; before !== settling.size;) {
    before = settling.size;
    for (const name of names) if (stepsFrom(entity, name).some(({ to }) => settling.has(to))) settling.add(name);
  }
  return settling;
}

function rests(entity: AnyEntity, name: string): boolean {
  const state = entity.states[name];
  return state?.stability === 'stable' && !state.waiting;
}
