import type { AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { exhaustedStates } from '../retry-rules.js';
import type { ModelStep } from './problem.js';

/** The steps that leave a state. */
export function stepsFrom(entity: AnyEntity, state: string): readonly ModelStep[] {
  const steps = Object.entries(entity.actions)
    .filter(([, action]) => asList(action.in).includes(state))
    .flatMap(([action, { on, to }]) =>
      asList(to).map((target): ModelStep => ({
        from: state,
        ...(on !== undefined && { event: on }),
        action,
        to: target,
      })),
    );
  const all = [...steps, ...exhaustedStates(entity.states[state]).map((to): ModelStep => ({ from: state, to }))];
  return all.filter(({ to }) => to !== state);
}

/** The states in which an entity of a type can be, each with a shortest way to it from the initial one. */
export function shortestPaths(entity: AnyEntity): ReadonlyMap<string, readonly ModelStep[]> {
  const paths = new Map<string, readonly ModelStep[]>(
    Object.entries(entity.states).flatMap(([name, { initial }]) => (initial ? [[name, []]] : [])),
  );
  // The loop also visits the entries that are added while it runs.
  for (const [state, path] of paths) {
    for (const step of stepsFrom(entity, state)) if (!paths.has(step.to)) paths.set(step.to, [...path, step]);
  }
  return paths;
}
