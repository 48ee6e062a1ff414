import type { StoreRecord } from '../../protocol/records.js';
import { AUDIT_ENTRIES } from '../rows/audit-row.js';
import { ENTITIES } from '../rows/entity-row.js';
import { ERRORS } from '../rows/error-row.js';
import { EVENTS } from '../rows/event-row.js';
import { OPERATIONS } from '../rows/operation-row.js';
import { REJECTED_EVENTS } from '../rows/rejection-row.js';
import { TRANSITIONS } from '../rows/transition-row.js';
import { latestOf, livesOf, noteLives } from './lives.js';
import { deleteOvertaken, deletePhantoms, markKept } from './phantoms.js';
import { Rows } from './rows.js';
import { writeRows, type Database, type Refused } from './write-rows.js';

/*
 * write-records.1. Each statement is a transaction of its own and can be repeated, so a batch that fails is written again as a
 *     whole.
 * write-records.2. What was kept is never replaced by what was only offered, unless that is newer.
 * write-records.3. What was only offered, and what is kept shows never to have happened, is deleted, also when it arrives later.
 *     So is what a later task shows, by being of a lower version: it need not be kept for that.
 */

/** In this order, so that what refers to a row comes after it. */
const ORDER = [ERRORS, OPERATIONS, EVENTS, TRANSITIONS, ENTITIES, AUDIT_ENTRIES, REJECTED_EVENTS];

/** Writes records that may be lost, and may tell of what never happened. @throws when the database is away */
export async function writeOffered(
  database: Database,
  records: readonly StoreRecord[],
  refused: Refused,
): Promise<void> {
  const rows = Rows.of(records, false);
  for (const table of ORDER) await writeRows(database, table, rows.get(table), false, refused);
  await deleteOvertaken(database, latestOf(records));
}

/** Writes records of what really happened. @throws when the database is away */
export async function writeKept(database: Database, records: readonly StoreRecord[], refused: Refused): Promise<void> {
  const rows = Rows.of(records, true);
  const lives = livesOf(records);
  // First, so that nothing that was only offered gets in while this is written.
  await noteLives(database, lives);
  for (const table of ORDER) await writeRows(database, table, rows.get(table), true, refused);
  for (const table of [OPERATIONS, EVENTS]) {
    const keys = rows.get(table).map((row) => Object.fromEntries(table.key.map((name) => [name, row[name]!])));
    await markKept(database, table, keys);
  }
  await deletePhantoms(database, lives);
}
