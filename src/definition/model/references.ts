import { patternsIn } from '../checks/patterns.js';
import { CREATED } from '../created.js';
import type { AnyEntity } from '../entity.js';
import { oneOf } from '../checks/graph.js';
import type { ModelProblem } from './problem.js';

/** Where declarations name each other, by text: types, their events and their states. */
export function referenceProblems(entities: readonly AnyEntity[]): readonly ModelProblem[] {
  const types = new Map(entities.map((entity) => [entity.name, entity]));
  return entities.flatMap((entity) => [
    ...linkProblems(entity, types),
    ...raiseProblems(entity, types),
    ...needProblems(entity, types),
    ...patternProblems(entity, types),
  ]);
}

type Types = ReadonlyMap<string, AnyEntity>;

function linkProblems(entity: AnyEntity, types: Types): readonly ModelProblem[] {
  return Object.entries(entity.links)
    .filter(([, { to }]) => !types.has(to))
    .map(([name, { to }]) => unknownType(`${entity.name}.links.${name}`, to, types));
}

function raiseProblems(entity: AnyEntity, types: Types): readonly ModelProblem[] {
  return Object.entries(entity.actions).flatMap(([name, { raises = [] }]) =>
    raises.flatMap((raised) => {
      const place = `${entity.name}.actions.${name}.raises`;
      const [type = '', event = ''] = raised.split('.');
      const target = types.get(type);
      if (!target) return [unknownType(place, type, types)];
      if (event === CREATED || Object.hasOwn(target.events, event)) return [];
      return [unknown(place, `${type} has no event '${event}'`, event, Object.keys(target.events))];
    }),
  );
}

function needProblems(entity: AnyEntity, types: Types): readonly ModelProblem[] {
  return Object.entries(entity.events).flatMap(([name, { needs }]) => {
    if (!needs) return [];
    const place = `${entity.name}.events.${name}.needs`;
    const target = types.get(needs.type);
    if (!target) return [unknownType(place, needs.type, types)];
    return Object.keys(needs.unless)
      .filter((state) => !Object.hasOwn(target.states, state))
      .map((state) => unknown(place, `${needs.type} has no state '${state}'`, state, Object.keys(target.states)));
  });
}

function patternProblems(entity: AnyEntity, types: Types): readonly ModelProblem[] {
  return Object.entries(entity.subscriptions).flatMap(([name, { when }]) =>
    patternsIn(when).flatMap(({ filter: { type }, test }) => {
      const place = `${entity.name}.subscriptions.${name}.when`;
      if (type === undefined) return [];
      const target = types.get(type);
      if (!target) return [unknownType(place, type, types)];
      return (test.in ?? [])
        .filter((state) => !Object.hasOwn(target.states, state))
        .map((state) => unknown(place, `${type} has no state '${state}'`, state, Object.keys(target.states)));
    }),
  );
}

function unknownType(place: string, type: string, types: Types): ModelProblem {
  return unknown(place, `there is no entity type '${type}'`, type, [...types.keys()]);
}

function unknown(place: string, problem: string, given: string, known: readonly string[]): ModelProblem {
  return { place, problem, remedy: oneOf(known, given), path: [] };
}
