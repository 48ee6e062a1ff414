/*
 * When operations get workflows that follow them.
 *
 * following.1. An operation gets a workflow at once when other entities take part.
 * following.2. An action that only calls resources needs none for a moment, and for as long as its caller waits for the answer.
 *     S4.7
 */
import { isUnopened, openOperations, unopenedUntil } from '../engagements/open.js';
import type { LiveEntity } from './live-entity.js';

export class Following {
  readonly #live: LiveEntity;
  /** Tells whether operations are to be opened in a moment. */
  #later = false;

  constructor(live: LiveEntity) {
    this.#live = live;
  }

  /** Opens operations at once, since others take part from now on. following.1 */
  open(): void {
    const live = this.#live;
    live.apply(openOperations(live.entity, live.snapshot));
    live.show();
  }

  /** Opens operations in a moment, since a resource is called. following.2 */
  openInTime(): void {
    const until = unopenedUntil(this.#live.snapshot);
    if (until === undefined) this.#live.show();
    else if (!this.#later) void this.#openLater(until - this.#live.now());
  }

  /** Waits until an event has settled, or an operation follows it. */
  async begun(event: string): Promise<void> {
    const isBegun = () => !isUnopened(this.#live.snapshot, event);
    if (!isBegun()) await this.#live.driver.until(isBegun);
  }

  async #openLater(ms: number): Promise<void> {
    this.#later = true;
    try {
      const allSettled = () => unopenedUntil(this.#live.snapshot) === undefined;
      const settled = await this.#live.driver.until(allSettled, ms, 'an operation that takes longer gets a workflow');
      if (!settled) this.open();
    } catch (thrown) {
      this.#live.fail(thrown);
    }
    this.#later = false;
  }
}
