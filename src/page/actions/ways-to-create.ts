import type { EntityDescription } from '../../definition/describe.js';

/** The event that creates, or nothing: without an event. */
export type WayToCreate = string | undefined;

const USUAL = 'create';

/**
 * Lists the ways in which somebody may create an entity, the usual one first: `create`, or another event that is only for creating. An event
 * that entities take later too may do anything, such as delete, so it comes last.
 */
export function waysToCreate(
  type: Pick<EntityDescription, 'construct' | 'states' | 'events'>,
  rights: { readonly create: readonly string[]; readonly construct: boolean },
): readonly WayToCreate[] {
  const creating = rights.create.filter((event) => event === USUAL || !isForLiving(type, event));
  const others = rights.create.filter((event) => !creating.includes(event));
  const mayBeBare = type.construct !== undefined || creating.length === 0;
  const bare = rights.construct && mayBeBare ? [undefined] : [];
  return [...creating.toSorted((one, other) => rank(one) - rank(other)), ...bare, ...others];
}

function rank(event: string): number {
  return event === USUAL ? 0 : 1;
}

/** Tells whether an event is for entities that live: one that is valid in the initial state may be valid in others too. */
export function isForLiving({ states, events }: Pick<EntityDescription, 'states' | 'events'>, event: string): boolean {
  const initial = states.filter((state) => state.initial).map(({ name }) => name);
  return events.some((each) => each.name === event && each.in.some((state) => !initial.includes(state)));
}
