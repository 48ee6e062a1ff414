/*
 * Gives code of authors one answer at a time, in its first run as in each later one. Answers that came together would otherwise
 * set off promises that interleave, and a later run, which gives them one by one, would take another way.
 *
 * turns.1. The next answer is given when all that the last one has set off is quiet.
 * turns.2. An answer that comes alone, and later than the last one, needs no wait.
 */

/** Tells whether code has come to a wait. */
export interface Quiet {
  /**
   * Another number each time something comes in from outside: all that could go on by itself has done so by then. Without it, that
   * is always waited for.
   */
  moment?(): number;
  /** Waits until all that can go on by itself has done so. */
  quiet(): Promise<void>;
}

/** Lets code of one's own run one piece at a time, so that each piece sees one state of the tree. */
export class Turns {
  readonly #world: Quiet;
  readonly #fail: (thrown: unknown) => void;
  readonly #waiting: (() => void)[] = [];
  /** The moment in which the code was set going last. */
  #goingSince: number | undefined;
  #gives = false;

  /** @param fail takes what `quiet` throws: nothing is given any more */
  constructor(world: Quiet, fail: (thrown: unknown) => void) {
    this.#world = world;
    this.#fail = fail;
    this.#goingSince = world.moment?.();
  }

  /** Does this in its turn. It sets the code going, and must not throw. */
  take(give: () => void): void {
    this.#waiting.push(give);
    if (!this.#gives) this.#give().catch(this.#fail);
  }

  async #give(): Promise<void> {
    this.#gives = true;
    while (this.#waiting.length > 0) {
      // turns.1, turns.2
      if (this.#goingSince === this.#world.moment?.()) await this.#world.quiet();
      this.#goingSince = this.#world.moment?.();
      this.#waiting.shift()!();
    }
    this.#gives = false;
  }
}
