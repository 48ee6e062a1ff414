import { endedOperation } from '../protocol/ended-operation.js';
import type { LivingRef } from '../protocol/messages.js';
import { entityId } from '../protocol/names.js';
import { pastRequest, type Recollection } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { EventRecord, StoreRecord } from '../protocol/records.js';
import { lackingRecords } from './lacking-records.js';

/** The store in memory: the newest record of each name. It can be away for some time. */
export class RecordShelf {
  readonly #records = new Map<string, StoreRecord>();
  /** Milliseconds since 1970. */
  awayUntil = -Infinity;

  /** Takes records in, in any order and any number of times. */
  take(records: readonly StoreRecord[]): void {
    for (const record of records.flatMap(withOperation)) {
      const name = shelfName(record);
      const known = this.#records.get(name);
      if (!known || age(record) >= age(known)) this.#records.set(name, record);
    }
  }

  /** The names of the records that are not here. */
  lacking(names: RecordNames): readonly string[] {
    return lackingRecords(names, (name) => this.#records.get(name));
  }

  /** What is here of requests on an entity. */
  recall(of: LivingRef, ids: readonly string[]): Recollection {
    const events = this.all().filter((record) => record.kind === 'event' && entityId(record.entity) === entityId(of));
    const asked = new Set(ids);
    const requests = (events as readonly EventRecord[])
      .filter(({ id }) => asked.has(id))
      .flatMap((event) => pastRequest(event) ?? []);
    return { requests, earlierLives: (events as readonly EventRecord[]).some(({ entity }) => entity.life !== of.life) };
  }

  get(name: string): StoreRecord | undefined {
    return this.#records.get(name);
  }

  all(): readonly StoreRecord[] {
    return [...this.#records.values()];
  }
}

/** An event tells of the operation that has ended with it. */
function withOperation(record: StoreRecord): readonly StoreRecord[] {
  const operation = record.kind === 'event' ? endedOperation(record) : undefined;
  return operation ? [record, operation] : [record];
}

/** Names what a record is about, among all records. */
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
      return 0;
    case 'entity':
      return record.at;
  }
}
