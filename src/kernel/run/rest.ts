/*
 * When an entity has been at rest for so long that it goes on in a new run: a resting entity has a short history and carries no
 * code of old actions, so that a worker with other ones takes it over without replay. Q1
 *
 * rest.1. It counts what has happened, and compares no times: the end of the timer and the count of what came meanwhile decide.
 *     L7
 * rest.2. One timer serves many events: it starts again when it ends, not when an event comes.
 */
import type { EntityDriver } from './driver.js';

export class Rest {
  readonly #driver: EntityDriver;
  /** How much has come in, and how much the entity has done, in this run. */
  #happened: number;
  #resting = false;
  #over = false;

  /** A run that has only taken over from another one has nothing that it could leave behind. */
  constructor(driver: EntityDriver, takesOver: boolean) {
    this.#driver = driver;
    this.#happened = takesOver ? 0 : 1;
  }

  /** Whether the entity has rested long enough. */
  get over(): boolean {
    return this.#over;
  }

  /** Notes that something has come in. */
  note(): void {
    this.#happened++;
  }

  /** Notes that the entity comes to a wait: it rests, or waits for its action. */
  pause(resting: boolean): void {
    this.#resting = resting;
  }

  /** Waits until the rest is over. */
  async watch(restAfterMs: number): Promise<void> {
    while (!this.#over) {
      await this.#driver.until(() => this.#resting && this.#happened > 0);
      const before = this.#happened;
      await this.#driver.until(() => false, restAfterMs, 'at rest until it goes on in a new run');
      this.#over = this.#resting && this.#happened === before;
    }
  }
}
