/** A link to another entity, or to several: its value is a key, or a list of keys. S1.1 */
export interface Link<Many extends boolean = boolean> extends LinkOptions {
  /** The type of the entities that it leads to. */
  readonly to: string;
  readonly many: Many;
}

/** Holds the options of a link. */
export interface LinkOptions {
  /**
   * Sets whether its target has to exist when it is set: live, and not be deleted. Otherwise the action that sets it fails with
   * `link_target_absent`, and no entity is created with it. The target may end later.
   */
  readonly mustExist?: boolean;
}

/** The value of a link. It is empty until an action or the construction sets it. */
export type LinkValue<L extends Link> = L extends Link<true> ? readonly string[] : string | undefined;

/** The part of a declaration that a link needs. */
interface Named {
  readonly name: string;
}

/** A link to one entity; the type is named by its declaration, or by its name where two declarations link each other. */
export function link(type: Named | string, options: LinkOptions = {}): Link<false> {
  return { to: nameOf(type), many: false, ...options };
}

/** A link to any number of entities. */
export function links(type: Named | string, options: LinkOptions = {}): Link<true> {
  return { to: nameOf(type), many: true, ...options };
}

function nameOf(type: Named | string): string {
  return typeof type === 'string' ? type : type.name;
}
