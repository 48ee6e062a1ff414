import type { AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { ownEvents } from './own-events.js';
import { shortestPaths } from './paths.js';
import type { ModelProblem } from './problem.js';

/** Every internal event has to be raised: by the entity itself, or by an action that says so. */
export function internalEventProblems(entities: readonly AnyEntity[]): readonly ModelProblem[] {
  const raised = new Set(
    entities.flatMap((entity) => Object.values(entity.actions).flatMap(({ raises }) => raises ?? [])),
  );
  return entities.flatMap((entity) => {
    const paths = shortestPaths(entity);
    const own = ownEvents(entity);
    return Object.entries(entity.events)
      .filter(
        ([event, { internal, answer }]) =>
          internal && !answer && !own.includes(event) && !raised.has(`${entity.name}.${event}`),
      )
      .map(([event, { in: states }]) => ({
        place: `${entity.name}.events.${event}`,
        problem: 'is internal, and nothing raises it',
        remedy: `List '${entity.name}.${event}' in 'raises' of the action that raises it, or remove internal: true.`,
        path: asList(states).flatMap((state) => paths.get(state) ?? []),
      }));
  });
}
