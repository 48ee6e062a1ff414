import type { Readable } from '../readable.js';
import { Shared } from '../shared.js';
import type { EntityCount, EntitySummary } from './entity-summary-schema.js';

/** Counts the entities once a second for all who may read the same, however many ask. */
export class SharedCounts {
  readonly #counted = new Shared<EntitySummary>();

  /** @param count counts what may be read; it is called when nobody has asked for a second */
  of(readable: Readable, count: () => Promise<readonly EntityCount[]>): Promise<EntitySummary> {
    const at = new Date().toISOString();
    return this.#counted.of(readable, async () => ({ at, items: [...(await count())] }));
  }
}
