/** How long an answer holds, in milliseconds: all who may read the same share it for so long. */
const HOLDS_MS = 1_000;

/** Shares an answer for a second with all for whom it is the same, however many ask. */
export class Shared<T> {
  readonly #given = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();

  /** @param make makes the answer; it is called when nobody has asked for a second */
  of(key: unknown, make: () => Promise<T>): Promise<T> {
    const now = Date.now();
    for (const [name, { at }] of this.#given) if (now - at >= HOLDS_MS) this.#given.delete(name);
    const name = JSON.stringify(key);
    const known = this.#given.get(name);
    if (known) return known.answer;
    const answer = make();
    this.#given.set(name, { at: now, answer });
    return answer;
  }
}
