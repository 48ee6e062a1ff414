/** So many requests are remembered. */
const REMEMBERED = 500;

/** The requests that a deployment has heard lately. One that comes again is not heard. S2.5 */
export class HeardRequests {
  readonly #ids: Set<string>;

  constructor(carried: readonly string[] = []) {
    this.#ids = new Set(carried);
  }

  /** Tells whether this is heard for the first time, which is noted. What has no id is always new. */
  isNew(id: string | undefined): boolean {
    if (id === undefined) return true;
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > REMEMBERED && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }

  /** For the next run. */
  get carried(): readonly string[] {
    return [...this.#ids];
  }
}
