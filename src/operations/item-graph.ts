import type { Item } from './status.js';

/** The part of an item that is known before its state is. */
type Named = Pick<Item, 'id' | 'kind' | 'on' | 'event'>;

/** The items that have to end before an operation can, and which of them caused which. Items are named by their position. */
export class ItemGraph {
  readonly #items: Item[];
  readonly #positions = new Map<string, number>();
  readonly #open = new Set<number>();

  constructor(items: readonly Item[]) {
    this.#items = [...items];
    items.forEach(({ id, state }, position) => {
      this.#positions.set(id, position);
      if (state === 'open') this.#open.add(position);
    });
  }

  get openCount(): number {
    return this.#open.size;
  }

  all(): readonly Item[] {
    return [...this.#items];
  }

  open(): readonly Item[] {
    return [...this.#open].map((position) => this.#items[position]!);
  }

  at(position: number): Item {
    return this.#items[position]!;
  }

  positionOf(id: string): number | undefined {
    return this.#positions.get(id);
  }

  find(id: string): Item | undefined {
    return this.#items[this.positionOf(id) ?? -1];
  }

  /**
   * Adds an item that has to end. It may have ended already, since the operation can hear of a cause after the end of its
   * effect.
   */
  add(named: Named, causes: readonly number[]): number {
    const known = this.#positions.get(named.id);
    if (known === undefined) return this.#append({ ...named, state: 'open', causes });
    const item = this.#items[known]!;
    // Where the end of an item came first, it was not known who has to end it.
    this.#items[known] = { ...item, ...named, causes: [...new Set([...item.causes, ...causes])] };
    return known;
  }

  end(named: Named, state: 'ended' | 'lost' = 'ended'): number {
    const known = this.#positions.get(named.id);
    if (known === undefined) return this.#append({ ...named, state, causes: [] });
    this.#items[known] = { ...this.#items[known]!, state };
    this.#open.delete(known);
    return known;
  }

  /** Marks a judgement as deferred, so that no action waits for it. This may be the first that is heard of it. */
  defer(named: Named): void {
    const position = this.positionOf(named.id) ?? this.add(named, []);
    this.#items[position] = { ...this.#items[position]!, deferred: true };
  }

  /** Gives a function that says of any item whether it is the given one or was set off by it, directly or through others. */
  descendantsOf(ancestor: number): (position: number) => boolean {
    const known = new Map<number, boolean>([[ancestor, true]]);
    const descends = (position: number): boolean => {
      const answer = known.get(position);
      if (answer !== undefined) return answer;
      known.set(position, false);
      const found = this.#items[position]!.causes.some(descends);
      known.set(position, found);
      return found;
    };
    return descends;
  }

  openPositions(): ReadonlySet<number> {
    return this.#open;
  }

  #append(item: Item): number {
    const position = this.#items.push(item) - 1;
    this.#positions.set(item.id, position);
    if (item.state === 'open') this.#open.add(position);
    return position;
  }
}
