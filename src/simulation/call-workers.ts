import type { Affinity } from '../definition/affinity.js';

/** The workers that make calls, one after the other: each lives until it dies, and the next one has another name. A5 */
export class CallWorkers {
  #starts = 1;

  /** The one that lives. */
  get present(): Affinity {
    return { worker: `worker ${this.#starts}` };
  }

  lives(worker: string): boolean {
    return worker === this.present.worker;
  }

  /** Lets the one that lives die, and another one start. */
  replace(): void {
    this.#starts++;
  }
}
