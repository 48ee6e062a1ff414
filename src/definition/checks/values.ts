import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { keySchemas } from '../key-schema.js';
import { survivalProblems } from '../values/survival.js';

/** Checks that what is stored and sent is JSON: each schema says values that survive it. S1.5a */
export function valueProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const { properties, construct, subordinates, states, events } = entity;
  return [
    // The parts of a key have a check of their own, which allows less.
    ...(keySchemas(entity) ? [] : survivalProblems(entity.key, 'key', 'kept')),
    ...survivalProblems(properties, 'properties', 'kept'),
    ...Object.entries(subordinates).flatMap(([name, schema]) =>
      survivalProblems(schema, `subordinates.${name}`, 'kept'),
    ),
    ...(construct ? survivalProblems(construct, 'construct', 'made') : []),
    ...Object.entries(events).flatMap(([name, { params, needs }]) => [
      ...(params ? survivalProblems(params, `events.${name}.params`, 'made') : []),
      ...(needs ? survivalProblems(needs.key, `events.${name}.needs.key`, 'made') : []),
    ]),
    ...Object.entries(states).flatMap(([name, { constraint }]) =>
      constraint ? survivalProblems(constraint, `states.${name}.constraint`, 'taken') : [],
    ),
  ];
}
