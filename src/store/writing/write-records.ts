import type { StoreRecord, ToldWaits, TransitionRecord } from '../../protocol/records.js';
import { rowsOfJobs } from '../../protocol/job-rows.js';
import { appendChanges, versionsOf, waitsOf } from '../feed/append-changes.js';
import { AUDIT_ENTRIES } from '../rows/audit-row.js';
import { COMPONENTS } from '../rows/component-row.js';
import { DEPLOYMENTS } from '../rows/deployment-row.js';
import { ENTITIES } from '../rows/entity-row.js';
import { ERRORS } from '../rows/error-row.js';
import { EVENTS } from '../rows/event-row.js';
import { INSTANCES } from '../rows/instance-row.js';
import { OPERATIONS } from '../rows/operation-row.js';
import { REJECTED_EVENTS } from '../rows/rejection-row.js';
import { TRANSITIONS } from '../rows/transition-row.js';
import { deletePhantomComponents } from './phantom-components.js';
import { latestOf, livesOf, noteLives } from './lives.js';
import { deleteOvertaken, deletePhantoms, markKept } from './phantoms.js';
import { Rows } from './rows.js';
import { writeRows, type Database, type Refused } from './write-rows.js';

/*
 * write-records.1. Each statement is a transaction of its own and can be repeated, so a batch that fails is written again as a
 *     whole.
 * write-records.2. A row that was only offered replaces one that was kept only if it is newer.
 * write-records.3. A row that was only offered is deleted when kept records show that it never happened, even if it arrives after
 *     them. It is also deleted when a later task has a lower version; the records of that task need not be kept for that.
 */

/** The tables in the order of writing: a row comes after the rows to which it refers. */
const ORDER = [
  ...[ERRORS, OPERATIONS, EVENTS, TRANSITIONS, ENTITIES, AUDIT_ENTRIES, REJECTED_EVENTS],
  ...[COMPONENTS, DEPLOYMENTS, INSTANCES],
];

/**
 * Writes records that may be lost, and that may tell of what never happened. `writer` is the process from which they come.
 * @throws when the database is unavailable
 */
export async function writeOffered(
  database: Database,
  offered: readonly StoreRecord[],
  refused: Refused,
  writer?: string,
): Promise<void> {
  const records = offered.flatMap(withJobs);
  const rows = Rows.of(records, false, writer);
  for (const table of ORDER) await writeRows(database, table, rows.get(table), false, refused);
  await deleteOvertaken(database, latestOf(records));
}

/** Writes records of what really happened. @throws when the database is unavailable */
export async function writeKept(database: Database, told: readonly StoreRecord[], refused: Refused): Promise<void> {
  const records = told.flatMap(withJobs);
  const rows = Rows.of(records, true);
  const lives = livesOf(records);
  // The lives come first, so that no phantom gets in while the records are written.
  await noteLives(database, lives);
  for (const table of ORDER) await writeRows(database, table, rows.get(table), true, refused);
  for (const table of [OPERATIONS, EVENTS]) {
    const keys = rows.get(table).map((row) => Object.fromEntries(table.key.map((name) => [name, row[name]!])));
    await markKept(database, table, keys);
  }
  await deletePhantoms(database, lives);
  await deletePhantomComponents(database, records);
  await appendChanges(database, versionsOf(records), waitsOf(records));
}

/** The jobs of distributed operations are events and transitions like others. job-rows.1 */
function withJobs(record: StoreRecord): readonly StoreRecord[] {
  return record.kind === 'jobs' ? rowsOfJobs(record) : [record];
}

/**
 * Writes transitions that happened for certain, while other records of their lives have yet to come, and feeds them, with what is
 * waited for. A6
 * @throws when the database is unavailable
 */
export async function writeCertain(
  database: Database,
  transitions: readonly TransitionRecord[],
  waits: readonly ToldWaits[],
  refused: Refused,
): Promise<void> {
  const rows = Rows.of(transitions, true);
  for (const table of [ERRORS, TRANSITIONS]) await writeRows(database, table, rows.get(table), true, refused);
  await appendChanges(database, versionsOf(transitions), waits);
}
