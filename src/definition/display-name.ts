/*
 * Two kinds of names, by one rule.
 *
 * A name is for programs. Code, snapshots, messages, rows, search attributes, lists, filters, addresses and JSON have it, and
 * nothing else is stored or sent. A display name is for people. It stands for the name in what they read, and is taken from the
 * declaration whenever something is shown: one that is added or changed later changes nothing that is stored. What only authors
 * of entities read (mistakes of a declaration, defects of an action) has the names that they have written.
 */
import type { AnyEntity } from './entity.js';

/** What people read of a state: `Requires capture`, or its name where it has no other. */
export function displayState({ states }: AnyEntity, state: string): string {
  return (Object.hasOwn(states, state) ? states[state]?.displayName : undefined) ?? state;
}

/** What people read of an event. */
export function displayEvent({ events }: AnyEntity, event: string): string {
  return (Object.hasOwn(events, event) ? events[event]?.displayName : undefined) ?? event;
}

/** Display names by name, of those that have one. */
export interface DisplayNames {
  readonly states: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, string>>;
}

export function displayNamesOf({ states, events }: AnyEntity): DisplayNames {
  return { states: named(states), events: named(events) };
}

function named(
  declared: Readonly<Record<string, { readonly displayName?: string }>>,
): Readonly<Record<string, string>> {
  const entries = Object.entries(declared);
  return Object.fromEntries(
    entries.flatMap(([name, { displayName }]) => (displayName === undefined ? [] : [[name, displayName]])),
  );
}
