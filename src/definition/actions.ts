import type { Action } from './action-context.js';
import type { ActionOf, AnyEntity } from './entity.js';

/** A declaration together with what its actions do. */
export interface EntityImplementation<E extends AnyEntity = AnyEntity> {
  readonly entity: E;
  readonly actions: { readonly [A in ActionOf<E>]: Action<E, A> };
}

/** An implementation of any entity, for code that treats all alike. */
export interface AnyImplementation {
  readonly entity: AnyEntity;
  readonly actions: Readonly<Record<string, (app: never, input: never) => Promise<unknown>>>;
}

/**
 * Gives each declared action its code. A missing action, or one that goes to a state that it does not declare, does not
 * compile.
 * @throws TypeError for code that was not compiled: a missing action, or one that is not declared
 */
export function implementActions<E extends AnyEntity>(
  entity: E,
  actions: { readonly [A in ActionOf<E>]: Action<E, A> },
): EntityImplementation<E> {
  const declared = new Set(Object.keys(entity.actions));
  const given = new Set(Object.keys(actions));
  const problems = [
    ...[...declared].filter((name) => !given.has(name)).map((name) => `'${name}' is declared and has no code`),
    ...[...given].filter((name) => !declared.has(name)).map((name) => `'${name}' has code and is not declared`),
  ];
  if (problems.length > 0) throw new TypeError(`Actions of ${entity.name}: ${problems.join('; ')}.`);
  return { entity, actions };
}
