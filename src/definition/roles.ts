import type { AnyEntity } from './entity.js';
import { CREATED } from './created.js';

/**
 * The role for everything without declared roles. A declaration that names roles has to name this one too where it
 * is meant.
 */
export const OPERATOR = 'operator';

const OPERATORS: readonly string[] = [OPERATOR];

export function rolesToRead({ roles }: AnyEntity): readonly string[] {
  return roles?.read ?? OPERATORS;
}

/** Tells who may raise an event, or create without one: `created`. */
export function rolesToRaise({ roles, events }: AnyEntity, event: string): readonly string[] {
  const declared = event !== CREATED && Object.hasOwn(events, event) ? events[event]?.roles : undefined;
  return declared ?? roles?.raise ?? OPERATORS;
}

export function rolesToOperate({ roles }: AnyEntity): readonly string[] {
  return roles?.operate ?? OPERATORS;
}

/** All roles that declarations give something to, in alphabetical order; `further` are those of components. */
export function knownRoles(entities: readonly AnyEntity[], further: readonly string[] = []): readonly string[] {
  const named = entities.flatMap((entity) => [
    ...rolesToRead(entity),
    ...rolesToOperate(entity),
    ...rolesToRaise(entity, CREATED),
    ...Object.keys(entity.events).flatMap((event) => rolesToRaise(entity, event)),
  ]);
  return [...new Set([OPERATOR, ...named, ...further])].sort();
}
