import type { AnyEntity } from './entity.js';
import { CREATED } from './created.js';

/** Who may do what with the entities of a type: one of the roles is enough. What is left out is for operators only. S6.5 */
export interface EntityRoles {
  /** Read, list and follow them, and the operations that were opened on them. */
  readonly read?: readonly string[];
  /** Raise events that name no roles of their own, create without an event, and cancel what was so opened. */
  readonly raise?: readonly string[];
  /** What helps where nothing goes on by itself: run an exhausted action again, give a successor up for lost. */
  readonly operate?: readonly string[];
}

/** Who may do what a declaration gives to nobody. One that names roles has to name this one as well where it is meant. */
export const OPERATOR = 'operator';

const OPERATORS: readonly string[] = [OPERATOR];

export function rolesToRead({ roles }: AnyEntity): readonly string[] {
  return roles?.read ?? OPERATORS;
}

/** Who may raise an event, or create without one: `created`. */
export function rolesToRaise({ roles, events }: AnyEntity, event: string): readonly string[] {
  const declared = event !== CREATED && Object.hasOwn(events, event) ? events[event]?.roles : undefined;
  return declared ?? roles?.raise ?? OPERATORS;
}

export function rolesToOperate({ roles }: AnyEntity): readonly string[] {
  return roles?.operate ?? OPERATORS;
}

/** All roles that declarations give something to, in alphabetical order. */
export function knownRoles(entities: readonly AnyEntity[]): readonly string[] {
  const named = entities.flatMap((entity) => [
    ...rolesToRead(entity),
    ...rolesToOperate(entity),
    ...rolesToRaise(entity, CREATED),
    ...Object.keys(entity.events).flatMap((event) => rolesToRaise(entity, event)),
  ]);
  return [...new Set([OPERATOR, ...named])].sort();
}
