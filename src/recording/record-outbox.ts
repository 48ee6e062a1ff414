/*
 * What an entity or an operation has to tell the store, until the store has it. S5.2
 *
 * Z1. Every record is offered when the workflow comes to a wait, and stays here until it has been kept or handed on.
 * Z2. Nothing waits for the store but the end of a run, and that only for one try. What has to be kept while much goes on, or
 *     when the store was away a moment ago, is kept aside.
 * Z3. What is here has a budget; past it, all goes to a carrier.
 */
import type { StoreRecord } from '../protocol/records.js';
import type { RecordDriver } from './driver.js';

/** What goes along into the next run. */
export interface CarriedRecords {
  readonly records: readonly StoreRecord[];
  /** How often in a row the store was away. */
  readonly failures: number;
  /** When it is tried again, in milliseconds since 1970. */
  readonly retryAt?: number;
}

/** So many records are kept without waiting for a rest. */
const MANY = 256;
/** Of JSON: what may be carried into the next run, and what one carrier takes. */
const BUDGET_CHARACTERS = 128 * 1024;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;

export class RecordOutbox {
  readonly #driver: RecordDriver;
  readonly #now: () => number;
  readonly #pending = new Map<string, StoreRecord>();
  #fresh = new Map<string, StoreRecord>();
  #failures: number;
  #retryAt: number | undefined;
  #keeping: Promise<void> | undefined;

  constructor(driver: RecordDriver, now: () => number, carried?: CarriedRecords) {
    this.#driver = driver;
    this.#now = now;
    for (const record of carried?.records ?? []) this.#pending.set(nameOf(record), record);
    this.#failures = carried?.failures ?? 0;
    this.#retryAt = carried?.retryAt;
  }

  /** Nothing is under way that the end of a run would cut off. */
  get idle(): boolean {
    return this.#keeping === undefined;
  }

  /** There is something that has not been offered yet. */
  get news(): boolean {
    return this.#fresh.size > 0;
  }

  /** There is something to keep, and the store is not known to be away. */
  get due(): boolean {
    return this.#pending.size > 0 && (this.#retryAt === undefined || this.#retryAt <= this.#now());
  }

  /** When the store is tried again that was away; in milliseconds since 1970. */
  get retryAt(): number | undefined {
    return this.#pending.size > 0 ? this.#retryAt : undefined;
  }

  put(record: StoreRecord): void {
    const name = nameOf(record);
    this.#pending.set(name, record);
    this.#fresh.set(name, record);
  }

  /** Offers what is new. Z1 */
  offer(): void {
    if (this.#fresh.size === 0) return;
    const fresh = [...this.#fresh.values()];
    this.#fresh = new Map();
    this.#driver.offer(fresh);
    if (this.#pending.size >= MANY && this.due) void this.#begin(true);
  }

  /** Tries to keep all that is here; what comes meanwhile stays. */
  async keep(): Promise<void> {
    return this.#begin(this.#failures > 0);
  }

  /** Before the workflow ends: all that could not be kept goes to carriers. */
  async leave(): Promise<void> {
    await this.#keeping;
    await this.keep();
    await this.#handOn();
  }

  carried(): CarriedRecords | undefined {
    if (this.#pending.size === 0) return undefined;
    return {
      records: [...this.#pending.values()],
      failures: this.#failures,
      ...(this.#retryAt !== undefined && { retryAt: this.#retryAt }),
    };
  }

  #begin(aside: boolean): Promise<void> {
    this.#keeping ??= this.#keep(aside).finally(() => (this.#keeping = undefined));
    return this.#keeping;
  }

  async #keep(aside: boolean): Promise<void> {
    if (this.#pending.size === 0) return;
    const records = [...this.#pending.entries()];
    if (
      await this.#driver.keep(
        records.map(([, record]) => record),
        aside,
      )
    ) {
      this.#failures = 0;
      this.#retryAt = undefined;
      for (const [name, record] of records) if (this.#pending.get(name) === record) this.#pending.delete(name);
      return;
    }
    this.#retryAt = this.#now() + Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
    this.#failures++;
    if (JSON.stringify([...this.#pending.values()]).length > BUDGET_CHARACTERS) await this.#handOn();
  }

  async #handOn(): Promise<void> {
    const records = [...this.#pending.entries()];
    for (const piece of inPieces(records.map(([, record]) => record))) await this.#driver.handOn(piece);
    for (const [name, record] of records) if (this.#pending.get(name) === record) this.#pending.delete(name);
  }
}

/** A newer record of the same name replaces an older one. */
function nameOf(record: StoreRecord): string {
  switch (record.kind) {
    case 'transition':
      return `transition/${record.version}`;
    case 'entity':
      return 'entity';
    default:
      return `${record.kind}/${record.id}`;
  }
}

function inPieces(records: readonly StoreRecord[]): readonly (readonly StoreRecord[])[] {
  const pieces: StoreRecord[][] = [];
  let room = 0;
  for (const record of records) {
    const size = JSON.stringify(record).length;
    if (pieces.length === 0 || size > room) {
      pieces.push([]);
      room = BUDGET_CHARACTERS;
    }
    pieces.at(-1)!.push(record);
    room -= size;
  }
  return pieces;
}
