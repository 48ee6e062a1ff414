import { didYouMean } from '../did-you-mean.js';
import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { exhaustedStates } from '../retry-rules.js';

/** The names of the automatic actions of a state. */
export function automaticActions(entity: AnyEntity, state: string): readonly string[] {
  return actionsWhere(entity, undefined, state);
}

/** The names of the actions that an event starts in a state. */
export function eventActions(entity: AnyEntity, event: string, state: string): readonly string[] {
  return actionsWhere(entity, event, state);
}

function actionsWhere(entity: AnyEntity, event: string | undefined, state: string): readonly string[] {
  return Object.entries(entity.actions)
    .filter(([, { on, in: states }]) => on === event && asList(states).includes(state))
    .map(([name]) => name);
}

/** The states to which a state leads: by its actions, and by the end of its attempts. */
export function leadsTo(entity: AnyEntity, state: string, automaticOnly = false): ReadonlySet<string> {
  const targets = Object.values(entity.actions)
    .filter(({ on, in: states }) => asList(states).includes(state) && (!automaticOnly || on === undefined))
    .flatMap(({ to }) => asList(to));
  return new Set([...targets, ...exhaustedStates(entity.states[state])]);
}

/** A problem for each name that is no state. */
export function unknownStates(
  entity: AnyEntity,
  place: string,
  names: readonly string[],
): readonly DeclarationProblem[] {
  const known = Object.keys(entity.states);
  return names.filter((name) => !known.includes(name)).map((name) => unknownName(place, 'state', name, known));
}

/** The problem of an event that is not declared. */
export function unknownEvent(entity: AnyEntity, place: string, name: string): DeclarationProblem {
  return unknownName(place, 'event', name, Object.keys(entity.events));
}

/** The problem of a name that nothing has. `what` it would be: 'state'. */
export function unknownName(place: string, what: string, name: string, known: readonly string[]): DeclarationProblem {
  return { place, problem: `there is no ${what} '${name}'`, remedy: oneOf(known, name), unknown: true };
}

/** The remedy for a name that is unknown. */
export function oneOf(names: readonly string[], given = ''): string {
  return names.length === 0 ? 'Declare it first.' : `Name one of ${names.join(', ')}.${didYouMean(given, names)}`;
}
