import { MOST_ACTIVITIES } from '../definition/limits.js';

/** The calls that a workflow may have under way. More of them wait for their turn, in their order. */
export class CallPlaces {
  #free = MOST_ACTIVITIES;
  readonly #waiting: (() => void)[] = [];

  /** Takes a place; where none is free, gives what to wait for. */
  take(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
    return undefined;
  }

  /** Gives the place to whoever waits first. */
  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
