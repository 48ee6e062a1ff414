/*
 * When an entity has been at rest for so long that it goes on in a new run: a resting entity has a short history and carries no
 * code of old actions, so that a worker with other ones takes it over without replay. Q1
 *
 * rest.1. It counts what has happened, and compares no times: the end of the timer and the count of what came meanwhile decide.
 *     L7
 * rest.2. One timer serves many events: it starts again when it ends, not when an event comes.
 * rest.3. An entity whose action waits for others for as long has not rested, and brings its records all the same. A6
 */
import type { LiveEntity } from './live-entity.js';

export class Rest {
  readonly #live: LiveEntity;
  /** How much had happened when there was nothing yet that a new run would leave behind. */
  #without: number;
  #resting = false;
  #over = false;

  /** A run that has only taken over from another one has nothing that it could leave behind. */
  constructor(live: LiveEntity, takesOver: boolean) {
    this.#live = live;
    this.#without = live.happened - (takesOver ? 0 : 1);
  }

  /** Tells whether the entity has rested long enough. */
  get over(): boolean {
    return this.#over;
  }

  /** Notes that the entity comes to a wait: it rests, or waits for its action. */
  pause(resting: boolean): void {
    this.#resting = resting;
  }

  /** Waits until the rest is over. */
  async watch(restAfterMs: number): Promise<void> {
    const live = this.#live;
    // Its action may wait for others, or for those outside.
    const waits = () => live.snapshot.running?.awaits !== undefined;
    let retryAt = 0;
    while (!this.#over) {
      await live.driver.until(() => (this.#resting || waits()) && live.happened > this.#without);
      const before = live.happened;
      const ms = Math.max(restAfterMs, retryAt - live.now());
      await live.driver.until(() => false, ms, 'at rest until it continues as new');
      if (live.happened !== before) continue;
      this.#over = this.#resting;
      if (this.#over || !waits()) continue;
      this.#without = before;
      const again = await live.records.bring();
      if (again !== undefined) [retryAt, this.#without] = [again, live.happened - 1];
    }
  }
}
