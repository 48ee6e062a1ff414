/*
 * When an entity has been at rest for so long that it goes on in a new run: a resting entity has a short history and carries no
 * code of old actions, so that a worker with other ones takes it over without replay. Q1
 *
 * rest.1. It counts what has happened, and compares no times: what ends is the timer, and what has come meanwhile was counted. L7
 * rest.2. One timer serves many events: it begins anew when it ends, not when an event comes.
 */
import type { EntityDriver } from './driver.js';

export class Rest {
  readonly #driver: EntityDriver;
  /** What has come in, and what the entity has done, in this run. */
  #happened: number;
  #resting = false;
  #over = false;

  /** Of a run that has only taken over from another one, nothing is to be left behind. */
  constructor(driver: EntityDriver, takesOver: boolean) {
    this.#driver = driver;
    this.#happened = takesOver ? 0 : 1;
  }

  /** It has rested long enough. */
  get over(): boolean {
    return this.#over;
  }

  /** Something has come in. */
  note(): void {
    this.#happened++;
  }

  /** The entity comes to a wait, and rests, or waits for what its action does. */
  pause(resting: boolean): void {
    this.#resting = resting;
  }

  /** Until it is over. */
  async watch(restAfterMs: number): Promise<void> {
    while (!this.#over) {
      await this.#driver.until(() => this.#resting && this.#happened > 0);
      const before = this.#happened;
      await this.#driver.until(() => false, restAfterMs, 'at rest until it goes on in a new run');
      this.#over = this.#resting && this.#happened === before;
    }
  }
}
