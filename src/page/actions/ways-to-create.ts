import type { EntityDescription } from '../../definition/describe.js';

/** The event that creates, or nothing: without an event. */
export type WayToCreate = string | undefined;

interface Created extends Pick<EntityDescription, 'construct'> {
  readonly creation: readonly string[];
}

/** The ways in which somebody may create an entity, the usual one first: what another event does, it says only by its name. */
export function waysToCreate(
  { construct, creation }: Created,
  rights: { readonly create: readonly string[]; readonly construct: boolean },
): readonly WayToCreate[] {
  const others = rights.create.filter((event) => event !== USUAL);
  if (rights.create.includes(USUAL)) {
    return [USUAL, ...(rights.construct && construct !== undefined ? [undefined] : []), ...others];
  }
  return [...(rights.construct && !creation.includes(USUAL) ? [undefined] : []), ...others];
}

const USUAL = 'create';

/** Whether an event is for entities that live: one that is valid in the initial state may be valid in others too. */
export function isForLiving({ states, events }: Pick<EntityDescription, 'states' | 'events'>, event: string): boolean {
  const initial = states.filter((state) => state.initial).map(({ name }) => name);
  return events.some((each) => each.name === event && each.in.some((state) => !initial.includes(state)));
}
