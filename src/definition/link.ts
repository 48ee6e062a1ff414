import type { AnyEntity } from './entity.js';

/** A link to another entity, or to several: its value is a key, or a list of keys. S1.1 */
export interface Link<Many extends boolean = boolean> {
  /** The type of the entities that it leads to. */
  readonly to: string;
  readonly many: Many;
}

/** What a link of a kind holds: nothing until an action or the construction sets it. */
export type LinkValue<L extends Link> = L extends Link<true> ? readonly string[] : string | undefined;

/** A link to one entity; the type is named by its declaration, or by its name where two declarations link each other. */
export function link(type: AnyEntity | string): Link<false> {
  return { to: nameOf(type), many: false };
}

/** A link to any number of entities. */
export function links(type: AnyEntity | string): Link<true> {
  return { to: nameOf(type), many: true };
}

function nameOf(type: AnyEntity | string): string {
  return typeof type === 'string' ? type : type.name;
}
