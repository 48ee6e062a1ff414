import { withOperation } from '../protocol/ended-operation.js';
import type { LivingRef } from '../protocol/refs.js';
import { entityId } from '../protocol/names.js';
import { pastRequest, type Recollection } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { EventRecord, StoreRecord } from '../protocol/records.js';
import { lackingRecords } from './lacking-records.js';

/** The store in memory: the newest record of each name. It can be away for some time. */
export class RecordShelf {
  readonly #records = new Map<string, StoreRecord>();
  /** The names of an entity's events, and the lives that had any, by entity. */
  readonly #events = new Map<string, { readonly names: Map<string, Set<string>>; readonly lives: Set<string> }>();
  /** Until when the store is unavailable, in milliseconds since 1970. */
  awayUntil = -Infinity;

  /** Takes records in, in any order and any number of times. */
  take(records: readonly StoreRecord[]): void {
    for (const record of records.flatMap(withOperation)) {
      const name = shelfName(record);
      const known = this.#records.get(name);
      if (!known || age(record) >= age(known)) this.#records.set(name, record);
      if (!known && record.kind === 'event') this.#index(name, record);
    }
  }

  #index(name: string, { id, entity }: EventRecord): void {
    const of = entityId(entity);
    const known = this.#events.get(of) ?? { names: new Map<string, Set<string>>(), lives: new Set<string>() };
    this.#events.set(of, known);
    known.lives.add(entity.life);
    known.names.set(id, (known.names.get(id) ?? new Set()).add(name));
  }

  /** The names of the records that are not here. */
  lacking(names: RecordNames): readonly string[] {
    return lackingRecords(names, (name) => this.#records.get(name));
  }

  /** Tells what is known of requests on an entity. */
  recall(of: LivingRef, ids: readonly string[]): Recollection {
    const known = this.#events.get(entityId(of));
    const names = [...new Set(ids)].flatMap((id) => [...(known?.names.get(id) ?? [])]);
    const requests = names.flatMap((name) => pastRequest(this.#records.get(name) as EventRecord) ?? []);
    return { requests, earlierLives: [...(known?.lives ?? [])].some((life) => life !== of.life) };
  }

  get(name: string): StoreRecord | undefined {
    return this.#records.get(name);
  }

  all(): readonly StoreRecord[] {
    return [...this.#records.values()];
  }
}

/** The name of a record's subject, unique among all records. */
export function shelfName(record: StoreRecord): string {
  switch (record.kind) {
    case 'operation':
      return `operation ${record.id}`;
    case 'event':
      return `event ${record.id} of ${record.entity.life}`;
    case 'transition':
      return `transition ${record.version} of ${record.entity.life}`;
    case 'entity':
      return `entity ${entityId(record.entity)}`;
    case 'decision':
      return `decision ${record.id} of ${record.entity.life}`;
    case 'deployment':
      return `deployment ${record.life}`;
    case 'component':
      return `component ${record.incarnation} of ${record.life}`;
    case 'instance':
      return `instance ${record.life}`;
    case 'jobs':
      return `jobs ${record.id} of ${record.life}`;
  }
}

/** Grows with each newer record of the same name. */
function age(record: StoreRecord): number {
  switch (record.kind) {
    case 'operation':
      return record.endedAt !== undefined ? 2 : record.outcome === 'hung' ? 1 : 0;
    case 'event':
      return record.endedAt !== undefined ? 1 : 0;
    case 'transition':
    case 'decision':
    case 'jobs':
      return 0;
    case 'entity':
    case 'deployment':
    case 'component':
    case 'instance':
      return record.at;
  }
}
