import type { ToldWaits, TransitionRecord } from '../../protocol/records.js';
import { writeCertain } from '../writing/write-records.js';
import type { Database, Refused } from '../writing/write-rows.js';
import { forgetListeners, haveListeners, noteListeners, type Listener } from './listeners.js';
import { trimChanges } from './trim-changes.js';

/** How often old changes are looked for, in milliseconds. */
const TRIM_EVERY_MS = 60_000;

/** The feed as its writers see it. Changes are kept for a set time. A6 */
export class Feeding {
  readonly #database: Database;
  readonly #keptMs: number;
  readonly #refused: Refused;
  #trimAt = 0;

  constructor(database: Database, keptMs: number, refused: Refused) {
    this.#database = database;
    this.#keptMs = keptMs;
    this.#refused = refused;
  }

  /** @throws when the database is unavailable */
  haveListeners(): Promise<boolean> {
    return haveListeners(this.#database);
  }

  /** @throws when the database is unavailable */
  append(transitions: readonly TransitionRecord[], waits: readonly ToldWaits[]): Promise<void> {
    return writeCertain(this.#database, transitions, waits, this.#refused);
  }

  /** Notes how far listeners have come. @throws when the database is unavailable */
  async note(listeners: readonly Listener[]): Promise<void> {
    await noteListeners(this.#database, listeners);
    await this.trim();
  }

  /** Deletes changes that are too old, at most once a minute. @throws when the database is unavailable */
  async trim(): Promise<void> {
    const now = Date.now();
    if (now < this.#trimAt) return;
    this.#trimAt = now + TRIM_EVERY_MS;
    await trimChanges(this.#database, new Date(now - this.#keptMs));
    await forgetListeners(this.#database);
  }
}
