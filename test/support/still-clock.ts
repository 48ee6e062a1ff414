import { setImmediate } from 'node:timers/promises';

interface Waiter {
  readonly predicate: () => boolean;
  readonly at: number;
  resolve(held: boolean): void;
}

/** A clock that stands still until it is moved, and those who wait for a time or for what comes before it. */
export class StillClock {
  now = 1_000;
  /** For how long somebody has waited at most, each time. */
  readonly timeouts: number[] = [];
  /** How often all that could go on by itself has done so. */
  moment = 0;
  readonly #waiters: Waiter[] = [];
  #quieting = 0;

  /** Tells whether the predicate held before the time was over. */
  until(predicate: () => boolean, timeoutMs = Infinity): Promise<boolean> {
    if (predicate()) return Promise.resolve(true);
    this.timeouts.push(timeoutMs);
    return new Promise((resolve) => this.#waiters.push({ predicate, at: this.now + timeoutMs, resolve }));
  }

  /** Waits until all that can go on by itself has done so. */
  async quiet(): Promise<void> {
    this.#quieting++;
    await setImmediate();
    this.#quieting--;
  }

  /** Lets everything go on until it waits for something that has not come. */
  async calm(): Promise<void> {
    for (let round = 0; round < 1_000; round++) {
      await setImmediate();
      this.moment++;
      const due = this.#waiters.filter(({ predicate, at }) => at <= this.now || predicate());
      if (due.length === 0 && this.#quieting === 0) return;
      for (const waiter of due) {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        waiter.resolve(waiter.predicate());
      }
    }
    throw new Error('it never comes to a wait');
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.calm();
    this.now += ms;
    await this.calm();
  }
}
