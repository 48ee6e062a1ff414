import type { DrawnSoFar } from './anything/anything.js';

/** The draws of all processes, as a table: how often `check` refused, by its reason. */
export class DrawnTable {
  #drawn = 0;
  #accepted = 0;
  readonly #refusals = new Map<string, number>();

  add({ drawn, accepted, refusals }: DrawnSoFar): void {
    this.#drawn += drawn;
    this.#accepted += accepted;
    for (const [reason, count] of refusals) this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + count);
  }

  lines(): readonly string[] {
    const byCount = [...this.#refusals].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1));
    return [
      `${this.#drawn} declarations were drawn, and ${this.#accepted} accepted in the end. What was refused on the way:`,
      ...byCount.map(([reason, count]) => `${String(count).padStart(6)}  ${reason}`),
    ];
  }
}
