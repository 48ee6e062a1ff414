/** Remembers the latest names, so that what is told twice counts once. */
export class RecentNames {
  readonly #names = new Set<string>();

  constructor(readonly limit: number) {}

  /** Adds a name. Tells whether it is new. */
  add(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    if (this.#names.size > this.limit) {
      // A set gives the oldest first.
      for (const oldest of this.#names) {
        this.#names.delete(oldest);
        break;
      }
    }
    return true;
  }
}
