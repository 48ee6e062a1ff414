import { drainPromises } from './drain.js';

interface Waiter {
  readonly done: () => boolean;
  /** No step after this time is taken for this caller. */
  readonly horizon: number;
  readonly resolve: () => void;
  readonly reject: (thrown: unknown) => void;
}

/**
 * Takes the steps of a world for all callers that wait for something in it. Several may wait at the same time
 * (`Promise.all([sim.raise(...), sim.raise(...)])`), and steps are still taken one after another.
 */
export class Driving {
  readonly #step: (horizon: number) => Promise<boolean>;
  readonly #stuck: () => Error;
  #waiters: Waiter[] = [];
  #driving = false;
  #failure: { readonly thrown: unknown } | undefined;

  /**
   * @param step takes the next step; false when there is none up to the given time
   * @param stuck what is wrong when somebody waits and no step is left
   */
  constructor(step: (horizon: number) => Promise<boolean>, stuck: () => Error) {
    this.#step = step;
    this.#stuck = stuck;
  }

  /** Takes steps until it is done. @throws what a step has thrown, now and ever after */
  until(done: () => boolean, horizon = Infinity): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.thrown);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ done, horizon, resolve, reject });
      if (!this.#driving) void this.#drive();
    });
  }

  async #drive(): Promise<void> {
    this.#driving = true;
    try {
      for (;;) {
        this.#release();
        // A caller that has waited may now wait for something else.
        await drainPromises();
        if (this.#waiters.length === 0) return;
        // A step could let hours pass.
        if (this.#waiters.some((waiter) => waiter.done())) continue;
        const horizon = Math.max(...this.#waiters.map((waiter) => waiter.horizon));
        if (!(await this.#step(horizon))) {
          this.#release();
          if (this.#waiters.length > 0) throw this.#stuck();
        }
      }
    } catch (thrown) {
      this.#failure = { thrown };
      const waiters = this.#waiters;
      this.#waiters = [];
      for (const { reject } of waiters) reject(thrown);
    } finally {
      this.#driving = false;
    }
  }

  #release(): void {
    const waiters = this.#waiters;
    this.#waiters = waiters.filter((waiter) => !waiter.done());
    for (const waiter of waiters) if (!this.#waiters.includes(waiter)) waiter.resolve();
  }
}
