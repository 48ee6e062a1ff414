import type { FeedStore } from './feed-store.js';

/** How often the same listener is noted, in milliseconds. */
const EVERY_MS = 5_000;
/** How many are remembered. */
const MOST = 1_000;

/** Notes now and then how far listeners have come. While the store is unavailable, nobody is noted. L4 */
export class NotedListeners {
  readonly #store: FeedStore;
  readonly #notedAt = new Map<string, number>();

  constructor(store: FeedStore) {
    this.#store = store;
  }

  note(name: string, position: number): void {
    const now = Date.now();
    if (now - (this.#notedAt.get(name) ?? -Infinity) < EVERY_MS) return;
    this.#notedAt.delete(name);
    this.#notedAt.set(name, now);
    if (this.#notedAt.size > MOST) this.#notedAt.delete(this.#notedAt.keys().next().value!);
    this.#store.note({ name, position }).catch(() => undefined);
  }
}
