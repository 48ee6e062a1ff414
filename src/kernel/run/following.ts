/*
 * When operations get workflows that follow them.
 *
 * following.1. An operation gets a workflow at once when other entities take part.
 * following.2. An action that only calls resources needs none for a moment, and for as long as its caller waits for the answer.
 *     S4.7
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { EntityDriver } from './driver.js';
import { isUnopened, openOperations, unopenedUntil } from '../engagements/open.js';
import type { Step } from '../rules/step.js';

/** The code that runs the entity. */
interface FollowingHost {
  snapshot(): Snapshot;
  apply(step: Step): void;
  /** Shows the entity, since it comes to a wait that others may see. */
  show(): void;
  fail(thrown: unknown): void;
}

export class Following {
  readonly #entity: AnyEntity;
  readonly #driver: EntityDriver;
  readonly #host: FollowingHost;
  /** Tells whether operations are to be opened in a moment. */
  #later = false;

  constructor(entity: AnyEntity, driver: EntityDriver, host: FollowingHost) {
    this.#entity = entity;
    this.#driver = driver;
    this.#host = host;
  }

  /** Opens operations at once, since others take part from now on. following.1 */
  open(): void {
    this.#host.apply(openOperations(this.#entity, this.#host.snapshot()));
    this.#host.show();
  }

  /** Opens operations in a moment, since a resource is called. following.2 */
  openInTime(): void {
    const until = unopenedUntil(this.#host.snapshot());
    if (until === undefined) this.#host.show();
    else if (!this.#later) void this.#openLater(until - this.#driver.now());
  }

  /** Waits until an event has settled, or an operation follows it. */
  async begun(event: string): Promise<void> {
    const isBegun = () => !isUnopened(this.#host.snapshot(), event);
    if (!isBegun()) await this.#driver.until(isBegun);
  }

  async #openLater(ms: number): Promise<void> {
    this.#later = true;
    try {
      const allSettled = () => unopenedUntil(this.#host.snapshot()) === undefined;
      const settled = await this.#driver.until(allSettled, ms, 'an operation that takes longer gets a workflow');
      if (!settled) this.open();
    } catch (thrown) {
      this.#host.fail(thrown);
    }
    this.#later = false;
  }
}
