/** A link to another entity, or to several: its value is a key, or a list of keys. S1.1 */
export interface Link<Many extends boolean = boolean> extends LinkOptions {
  /** The type of the entities that it leads to. */
  readonly to: string;
  readonly many: Many;
}

export interface LinkOptions {
  /**
   * Where it leads there has to be something when it is set: one that lives, and is not deleted. Otherwise the action that sets
   * it fails with `link_target_absent`, and nothing comes to be with it. What it leads to may end later.
   */
  readonly mustExist?: boolean;
}

/** What a link of a kind holds: nothing until an action or the construction sets it. */
export type LinkValue<L extends Link> = L extends Link<true> ? readonly string[] : string | undefined;

/** A declaration, as far as a link needs it. */
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
