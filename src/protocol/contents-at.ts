import type { ContentsChange } from './records.js';

/** The contents that an entity had at a version. */
export interface ContentsAt {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, unknown>>;
  /** Only collections that had members. */
  readonly subordinates: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** All that was too large to be kept with each version, so that it is not here: `properties.text`. */
  readonly leftOut: readonly string[];
}

/** Gives what an entity held after these changes, which are all that it has had since it was born, in their order. S5.1 */
export function contentsAfter(changes: Iterable<ContentsChange>): ContentsAt {
  return new GrowingContents().after(changes);
}

/** The contents that an entity had, version by version. */
export class GrowingContents {
  readonly #plain = { properties: new Map<string, unknown>(), links: new Map<string, unknown>() };
  readonly #subordinates = new Map<string, Map<string, unknown>>();
  readonly #leftOut = new Set<string>();

  after(changes: Iterable<ContentsChange>): ContentsAt {
    for (const change of changes) this.#take(change);
    const { properties, links } = this.#plain;
    const subordinates = [...this.#subordinates].map(([name, members]) => [name, Object.fromEntries(members)] as const);
    return {
      properties: Object.fromEntries(properties),
      links: Object.fromEntries(links),
      subordinates: Object.fromEntries(subordinates),
      leftOut: [...this.#leftOut],
    };
  }

  #take({ part, name, key = '', value, leftOut }: ContentsChange): void {
    const at = `${part}.${name}`;
    if (leftOut) {
      this.#leftOut.add(at);
      if (part === 'subordinates') this.#subordinates.delete(name);
      else this.#plain[part].delete(name);
    } else if (part !== 'subordinates') {
      this.#leftOut.delete(at);
      put(this.#plain[part], name, value);
    } else if (!this.#leftOut.has(at)) {
      const members = this.#subordinates.get(name) ?? new Map<string, unknown>();
      put(members, key, value);
      if (members.size > 0) this.#subordinates.set(name, members);
      else this.#subordinates.delete(name);
    }
  }
}

function put(values: Map<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) values.delete(name);
  else values.set(name, value);
}
