/*
 * The records that an entity or an operation has to tell the store, until the store has them. S5.2
 *
 * record-outbox.1. Every record is offered when the workflow comes to a wait. It stays here until it is confirmed, kept or
 *     handed on.
 * record-outbox.2. Only the end of a run waits for the store, and only for one try. Records that have to be brought while much
 *     goes on, or when the store was unavailable a moment ago, are brought aside.
 * record-outbox.3. The outbox has a budget. When it is exceeded, all records go to a carrier.
 * record-outbox.4. Where there are many records, only those that the store lacks are sent again.
 * record-outbox.5. From when an entity forgets a request, its record is found here or in the store: whatever has yet to be
 *     confirmed is here.
 */
import { CARRIED_BYTES } from '../definition/limits.js';
import type { LivingRef } from '../protocol/refs.js';
import { pastRequest, type PastRequest, type Recollection } from '../protocol/past-request.js';
import { hasShortName, namesOf, recordName } from '../protocol/record-names.js';
import type { StoreRecord, TransitionRecord } from '../protocol/records.js';
import type { RecordAmounts, RecordDriver } from './driver.js';
import { jsonBytes } from '../protocol/size-problem.js';
import { inPieces } from './record-pieces.js';

/** The records that the next run takes over. */
export interface CarriedRecords {
  readonly records: readonly StoreRecord[];
  /** How often in a row the store was unavailable. */
  readonly failures: number;
  /** When the store is tried again, in milliseconds since 1970. */
  readonly retryAt?: number;
}

const USUAL: RecordAmounts = { few: 64, many: 2_000, asked: 4_000, most: 50_000 };
/** How often a busy entity brings aside, at the end of its run, what is too much to carry, before it waits for that. */
const ASIDE = 3;
/** How many transitions are told at once to those who ask, and how much of what they have changed, in characters of JSON. */
const ANSWERED = 200;
const ANSWERED_CHARACTERS = 256 * 1024;
/** No record is smaller. */
const SMALLEST_CHARACTERS = 128;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;

export class RecordOutbox {
  readonly #driver: RecordDriver;
  readonly #now: () => number;
  readonly #amounts: RecordAmounts;
  readonly #carriedBytes: number;
  /** The records by name, in the order in which they came. */
  readonly #pending = new Map<string, StoreRecord>();
  #fresh = new Map<string, StoreRecord>();
  #failures: number;
  #retryAt: number | undefined;
  /** Tells whether something new has come since everything was brought, so that more is likely to come soon. */
  #isBusy = false;
  #keeping: Promise<void> | undefined;
  #handingOn: Promise<void> | undefined;
  /** Tells whether to bring the records at once, since the last run has left them. */
  #hurry: boolean;
  #postponed = false;
  /** How often in a row everything that was here was brought, so that the run can end. */
  #brought = 0;

  /** `carriedBytes` is how much may be carried into the next run, in bytes of JSON. */
  constructor(driver: RecordDriver, now: () => number, carried?: CarriedRecords, carriedBytes: number = CARRIED_BYTES) {
    this.#driver = driver;
    this.#carriedBytes = carriedBytes;
    this.#now = now;
    this.#amounts = driver.amounts ?? USUAL;
    for (const record of carried?.records ?? []) this.#pending.set(recordName(record), record);
    this.#failures = carried?.failures ?? 0;
    this.#retryAt = carried?.retryAt;
    this.#hurry = carried !== undefined;
  }

  /** Tells whether nothing is under way that the end of a run would cut off. */
  get idle(): boolean {
    return this.#keeping === undefined && this.#handingOn === undefined;
  }

  /** Tells whether the store has everything for certain. */
  get empty(): boolean {
    return this.#pending.size === 0;
  }

  /** Tells whether there is a record that was not offered yet, or a new time at which the store is tried again. */
  get news(): boolean {
    return this.#fresh.size > 0 || this.#postponed;
  }

  /**
   * Tells whether there is something to bring before the run may end. Records that came while everything was brought are carried into
   * the next run, and so are all records while the store is unavailable, unless there are too many.
   */
  get due(): boolean {
    if (this.#pending.size === 0) return false;
    return (this.#mayTry && !(this.#brought > 0 && this.#isBusy)) || !this.#isLight;
  }

  /** When the store is tried again after it was away, in milliseconds since 1970. Nothing while it is tried. */
  get retryAt(): number | undefined {
    return this.#pending.size > 0 && this.idle ? this.#retryAt : undefined;
  }

  /** Notes that the entity has been at rest. Nothing more comes soon, so `keep` may wait for the store. */
  rest(): void {
    this.#isBusy = false;
  }

  put(record: StoreRecord): void {
    const name = recordName(record);
    this.#pending.delete(name);
    this.#pending.set(name, record);
    this.#fresh.set(name, record);
  }

  /** Offers what is new, and brings records where there are many. record-outbox.1, record-outbox.2 */
  offer(): void {
    this.#postponed = false;
    if (this.#fresh.size > 0) {
      const fresh = [...this.#fresh.values()];
      this.#fresh = new Map();
      this.#isBusy = true;
      this.#driver.offer(fresh);
    }
    const { size } = this.#pending;
    if (size > this.#amounts.most) void this.#relieve();
    else if ((size >= this.#amounts.many || (this.#hurry && size > 0)) && this.#mayTry) void this.#begin(true);
  }

  /**
   * Tries to keep everything that is here. What comes meanwhile stays here. It does not wait for the store when that was away a
   * moment ago, nor in the first tries while more comes all the time.
   */
  async keep(): Promise<void> {
    const early = this.#isBusy && this.#brought < ASIDE && this.#pending.size > this.#amounts.few;
    const aside = early || this.#failures > 0;
    const keeping = this.#begin(aside).then(() => {
      this.#brought = this.#failures === 0 ? this.#brought + 1 : 0;
    });
    if (!aside) await keeping;
  }

  /** Brings everything aside, since nothing more comes soon. Gives when to try again at the earliest, where something is left. */
  async bring(): Promise<number | undefined> {
    this.#isBusy = false;
    if (this.due) await this.#begin(true);
    return this.#pending.size > 0 ? (this.#retryAt ?? this.#now()) : undefined;
  }

  /** Empties the outbox before the workflow ends: what could not be kept goes to carriers. */
  async leave(): Promise<void> {
    await this.#keeping;
    await this.keep();
    await this.#keeping;
    await this.#handingOn;
    await this.#relieve();
  }

  /** Gives what is known of these requests outside the ledger: here and in the store. `undefined` while the store is unavailable. */
  async recall(of: LivingRef, ids: readonly string[]): Promise<Recollection | undefined> {
    const here = ids.flatMap((id) => this.#requestOf(id) ?? []);
    const others = ids.filter((id) => here.every((request) => request.id !== id));
    const { type, key, life } = of;
    const told = await this.#driver.recall({ type, key, life }, others, true);
    return told && { ...told, requests: [...here, ...told.requests] };
  }

  #requestOf(id: string): PastRequest | undefined {
    const record = this.#pending.get(recordName({ kind: 'event', id }));
    return record?.kind === 'event' ? pastRequest(record) : undefined;
  }

  /** The transitions after a version that are here, the oldest first; at most so many that they fit an answer. */
  transitionsAfter(version: number): readonly TransitionRecord[] {
    const found: TransitionRecord[] = [];
    let room = ANSWERED_CHARACTERS;
    for (const record of this.#pending.values()) {
      if (record.kind !== 'transition' || record.version <= version) continue;
      room -= record.changes ? JSON.stringify(record.changes).length : 0;
      if (found.push(record) === ANSWERED || room <= 0) break;
    }
    return found;
  }

  carried(): CarriedRecords | undefined {
    if (this.#pending.size === 0) return undefined;
    return {
      records: [...this.#pending.values()],
      failures: this.#failures,
      ...(this.#retryAt !== undefined && { retryAt: this.#retryAt }),
    };
  }

  /** Tells whether the store may be tried: it is not known to be away. */
  get #mayTry(): boolean {
    return this.#retryAt === undefined || this.#retryAt <= this.#now();
  }

  /** Tells whether the records are few enough to be carried. */
  get #isLight(): boolean {
    if (this.#pending.size * SMALLEST_CHARACTERS > this.#carriedBytes) return false;
    return jsonBytes([...this.#pending.values()]) <= this.#carriedBytes;
  }

  #begin(aside: boolean): Promise<void> {
    this.#keeping ??= this.#keep(aside).finally(() => (this.#keeping = undefined));
    return this.#keeping;
  }

  async #keep(aside: boolean): Promise<void> {
    this.#hurry = false;
    this.#isBusy = false;
    if (this.#pending.size === 0) return;
    if (this.#mayTry) {
      if (await this.#bring(aside)) {
        this.#failures = 0;
        this.#retryAt = undefined;
        return;
      }
      this.#retryAt = this.#now() + Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
      this.#failures++;
      this.#postponed = true;
    }
    if (!this.#isLight) await this.#relieve();
  }

  /** Brings everything that is here. Tells whether the store was there all the time. */
  async #bring(aside: boolean): Promise<boolean> {
    const records = [...this.#pending.values()];
    const lacking = records.length > this.#amounts.few ? await this.#ask(records, aside) : records;
    if (!lacking) return false;
    for (const piece of inPieces(lacking)) {
      if (!(await this.#driver.keep(piece, aside))) return false;
      this.#forget(piece);
    }
    return true;
  }

  /** The records that have to be sent; `undefined` when the store is unavailable. record-outbox.4 */
  async #ask(records: readonly StoreRecord[], aside: boolean): Promise<readonly StoreRecord[] | undefined> {
    const life = records.flatMap((record) => ('entity' in record ? [record.entity.life] : []))[0];
    if (life === undefined) return records;
    const { asked } = this.#amounts;
    const lacking: StoreRecord[] = [];
    for (let start = 0; start < records.length; start += asked) {
      const part = records.slice(start, start + asked);
      const names = namesOf(life, part, start + asked >= records.length);
      const missing = await this.#driver.confirm(names, aside);
      if (!missing) return undefined;
      const unknown = new Set(missing);
      const isLacking = (record: StoreRecord) => !hasShortName(record) || unknown.has(recordName(record));
      lacking.push(...part.filter(isLacking));
      this.#forget(part.filter((record) => !isLacking(record)));
    }
    return lacking;
  }

  /** Hands everything that is here to carriers. record-outbox.3 */
  #relieve(): Promise<void> {
    this.#handingOn ??= this.#handOn().finally(() => (this.#handingOn = undefined));
    return this.#handingOn;
  }

  async #handOn(): Promise<void> {
    for (const piece of inPieces([...this.#pending.values()])) {
      await this.#driver.handOn(piece);
      this.#forget(piece);
    }
  }

  /** Removes these records. A newer record of the same name stays. */
  #forget(records: readonly StoreRecord[]): void {
    for (const record of records) {
      const name = recordName(record);
      if (this.#pending.get(name) === record) this.#pending.delete(name);
    }
  }
}
