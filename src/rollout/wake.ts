import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { WAKE_SIGNAL } from '../protocol/names.js';

/** Asks workflows to go on in a new run, so many a second. Those that are at rest do so at once, the others when they may. */
export class Waker {
  readonly #client: Client;
  readonly #pauseMs: number;
  readonly #wokenAt = new Map<string, number>();

  /** @param perSecond how many are woken in a second at most */
  constructor(client: Client, perSecond: number) {
    this.#client = client;
    this.#pauseMs = 1_000 / perSecond;
  }

  /** How many different ones were woken. */
  get woken(): number {
    return this.#wokenAt.size;
  }

  /** Tells whether it was never woken. */
  isNew(id: string): boolean {
    return !this.#wokenAt.has(id);
  }

  /**
   * Wakes those that were not woken within `againAfterMs`, until it is told to stop: what has been sent then has been sent, and
   * nothing follows.
   */
  async wake(ids: readonly string[], againAfterMs: number, stop: AbortSignal): Promise<void> {
    const begun: Promise<void>[] = [];
    let next = Date.now();
    for (const id of ids) {
      if (stop.aborted) break;
      if (Date.now() - (this.#wokenAt.get(id) ?? 0) < againAfterMs) continue;
      this.#wokenAt.set(id, Date.now());
      begun.push(this.#wake(id));
      next = Math.max(next + this.#pauseMs, Date.now());
      const left = next - Date.now();
      if (left > 0) await delay(left, undefined, { signal: stop }).catch(() => undefined);
    }
    await Promise.all(begun);
  }

  async #wake(id: string): Promise<void> {
    try {
      await this.#client.workflow.getHandle(id).signal(WAKE_SIGNAL);
    } catch (thrown) {
      // It has ended meanwhile.
      if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
    }
  }
}
