/*
 * Two kinds of names, by one rule.
 *
 * A name is for programs. It is used in code, snapshots, messages, rows, search attributes, lists, filters, addresses and JSON.
 * Only names are stored and sent. A display name is for people. It stands for the name in what they read, and is taken from the
 * declaration whenever something is shown. So to add or change one later changes nothing that is stored. Texts that only
 * authors of entities read (mistakes of a declaration, defects of an action) use the names.
 */
import type { AnyEntity } from './entity.js';

/** The display name of a state: `Requires capture`; its name where it has none. */
export function displayState({ states }: AnyEntity, state: string): string {
  return (Object.hasOwn(states, state) ? states[state]?.displayName : undefined) ?? state;
}

/** The display name of an event; its name where it has none. */
export function displayEvent({ events }: AnyEntity, event: string): string {
  return (Object.hasOwn(events, event) ? events[event]?.displayName : undefined) ?? event;
}

/** The display names by name, for states and events that have one. */
export interface DisplayNames {
  readonly states: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, string>>;
}

/** Returns the display names of the states and events that have one. */
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
