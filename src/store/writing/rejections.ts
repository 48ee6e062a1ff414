import { TABLES } from '../names.js';
import { REJECTED_EVENTS, rejectionRow, type RejectedEvent } from '../rows/rejection-row.js';
import { writeRows, type Database, type Refused } from './write-rows.js';

/** The most rows that are kept, however many events are raised in vain. The oldest are deleted first. */
const MOST_ROWS = 1_000_000;
const FORGET_EVERY_MS = 600_000;

const TABLE = `${TABLES}.${REJECTED_EVENTS.name}`;
const FORGET = `delete from ${TABLE} where at < greatest(to_timestamp($1::float8 / 1000.0),
  coalesce((select at from ${TABLE} order by at desc offset $2 limit 1), '-infinity'))`;

/** The rows of rejected events. They are kept for a set time, and up to a number. */
export class Rejections {
  readonly #database: Database;
  readonly #keptMs: number;
  readonly #refused: Refused;
  #forgetAt = 0;

  constructor(database: Database, keptMs: number, refused: Refused) {
    this.#database = database;
    this.#keptMs = keptMs;
    this.#refused = refused;
  }

  /** @throws when the database is unavailable */
  async write(rejected: readonly RejectedEvent[]): Promise<void> {
    await writeRows(this.#database, REJECTED_EVENTS, rejected.map(rejectionRow), true, this.#refused);
    await this.forget();
  }

  /** Deletes rows that are too old or too many, at most every ten minutes. @throws when the database is unavailable */
  async forget(): Promise<void> {
    const now = Date.now();
    if (now < this.#forgetAt) return;
    this.#forgetAt = now + FORGET_EVERY_MS;
    await this.#database.query({ name: 'forget', text: FORGET, values: [now - this.#keptMs, MOST_ROWS - 1] });
  }
}
