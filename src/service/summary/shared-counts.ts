import type { Readable } from '../readable.js';
import type { EntityCount, EntitySummary } from './entity-summary-schema.js';

/** How long counts hold, in milliseconds: all who may read the same share them for so long. */
const HOLDS_MS = 1_000;

interface Counted {
  readonly at: number;
  readonly summary: Promise<EntitySummary>;
}

/** Counts the entities once a second for all who may read the same, however many ask. */
export class SharedCounts {
  readonly #counted = new Map<string, Counted>();

  /** @param count counts what may be read; it is called when nobody has asked for a second */
  of(readable: Readable, count: () => Promise<readonly EntityCount[]>): Promise<EntitySummary> {
    const now = Date.now();
    for (const [key, { at }] of this.#counted) if (now - at >= HOLDS_MS) this.#counted.delete(key);
    const key = JSON.stringify(readable);
    const known = this.#counted.get(key);
    if (known) return known.summary;
    const summary = count().then((items) => ({ at: new Date(now).toISOString(), items: [...items] }));
    this.#counted.set(key, { at: now, summary });
    return summary;
  }
}
