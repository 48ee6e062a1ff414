/*
 * When an entity has been at rest for so long that it goes on in a new run: a resting entity has a short history and carries no
 * code of old actions, so that a worker with other ones takes it over without replay. Q1
 *
 * rest.1. It counts what has happened, and compares no times: the end of the timer and the count of what came meanwhile decide.
 *     L7
 * rest.2. One timer serves many events: it starts again when it ends, not when an event comes.
 * rest.3. An entity whose action waits for others for as long has not rested, and brings its records all the same. A6
 */
import type { EntityDriver } from './driver.js';

/** The code that runs the entity. */
interface RestHost {
  /** Tells whether its action waits for others, or for those outside. */
  waits(): boolean;
  /** Brings its records to the store. Gives when to try again at the earliest, where something is left (milliseconds since 1970). */
  bring(): Promise<number | undefined>;
}

export class Rest {
  readonly #driver: EntityDriver;
  readonly #host: RestHost;
  /** How much has come in, and how much the entity has done, in this run. */
  #happened: number;
  #resting = false;
  #over = false;

  /** A run that has only taken over from another one has nothing that it could leave behind. */
  constructor(driver: EntityDriver, host: RestHost, takesOver: boolean) {
    this.#driver = driver;
    this.#host = host;
    this.#happened = takesOver ? 0 : 1;
  }

  /** Tells whether the entity has rested long enough. */
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
    let retryAt = 0;
    while (!this.#over) {
      await this.#driver.until(() => (this.#resting || this.#host.waits()) && this.#happened > 0);
      const before = this.#happened;
      const ms = Math.max(restAfterMs, retryAt - this.#driver.now());
      await this.#driver.until(() => false, ms, 'at rest until it continues as new');
      if (this.#happened !== before) continue;
      this.#over = this.#resting;
      if (this.#over || !this.#host.waits()) continue;
      this.#happened = 0;
      const again = await this.#host.bring();
      if (again !== undefined) [retryAt, this.#happened] = [again, this.#happened + 1];
    }
  }
}
