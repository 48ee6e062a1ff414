import type { RecordDriver } from '../recording/driver.js';
import { RecordOutbox, type CarriedRecords } from '../recording/record-outbox.js';
import { runOfThis, type Run } from './run.js';
import { untilHolds } from './until-holds.js';

/** Records are kept at the latest after so many milliseconds, together with those that follow soon. */
const KEPT_WITHIN_MS = 30_000;

/**
 * The report of a workflow that seldom rests to the store: offered at once without a promise, and kept now and then, before a run ends, and at
 * the end. Nothing else in the workflow waits for the store. S5.2
 */
export abstract class Telling {
  protected readonly run: Run = runOfThis();
  protected readonly outbox: RecordOutbox;
  #over = false;

  /** @param carriedBytes how much is carried into the next run, in bytes of JSON; by default, as much as of an entity */
  constructor(driver: RecordDriver, carried: CarriedRecords | undefined, carriedBytes?: number) {
    this.outbox = new RecordOutbox(driver, () => this.run.clock.now(), carried, carriedBytes);
  }

  /** The workflow waits. */
  offer(): void {
    this.outbox.offer();
  }

  /** Says that nothing is to be brought before the run ends. */
  get mayEndRun(): boolean {
    return this.outbox.idle && !this.outbox.due;
  }

  /** Keeps records now and then until `stop`; and at once where it hurries, so that the run can end. */
  async keep(hurries: () => boolean): Promise<void> {
    const { clock } = this.run;
    const until = (predicate: () => boolean, timeoutMs?: number) =>
      clock.until(untilHolds('records are kept'), predicate, timeoutMs);
    while (!this.#over) {
      await until(() => this.#over || !this.outbox.empty);
      const now = clock.now();
      const pause = Math.max(1, (this.outbox.retryAt ?? now + KEPT_WITHIN_MS) - now);
      // One try at a time: `keep` does not wait for one that goes on aside, and asking again at once would never end.
      await until(() => this.#over || (hurries() && this.outbox.idle && this.outbox.due), pause);
      if (this.#over) return;
      this.outbox.rest();
      await this.outbox.keep();
    }
  }

  /** The run is over. */
  stop(): void {
    this.#over = true;
  }

  /** Brings everything, before the workflow ends. */
  async leave(): Promise<void> {
    this.stop();
    this.outbox.offer();
    this.outbox.rest();
    await this.outbox.leave();
  }
}
