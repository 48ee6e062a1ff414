import { setTimeout as delay } from 'node:timers/promises';
import { recordName, type RecordNames } from '../../protocol/record-names.js';
import { appendChanges, rangesOf, type CertainVersions } from '../feed/append-changes.js';
import type { ToldWaits } from '../../protocol/records.js';
import { TABLES } from '../names.js';
import { ENTITIES } from '../rows/entity-row.js';
import { EVENTS } from '../rows/event-row.js';
import { time } from './table.js';
import { findLacking } from './lacking.js';
import { noteLives, type Life } from './lives.js';
import { deletePhantoms, markKept } from './phantoms.js';
import type { Database } from './write-rows.js';

/*
 * confirm-records.1. A record counts as found only if the times of the row are the same. So a row that a lost task has offered
 *     does not pass for what happened.
 * confirm-records.2. What was confirmed stays in the store. Before the look, the life is noted and its events are marked as kept,
 *     so that nobody takes them for phantoms.
 * confirm-records.3. What was confirmed is on the disk. Offers do not wait for the disk, so a write that does wait for it comes
 *     after the look.
 */

/** How long another worker has to write its offers, and the time between two looks, in milliseconds. */
const ELSEWHERE_MS = 500;
const LOOK_MS = 50;

/**
 * The names of the records that the store lacks. All others are kept from now on.
 * @throws when the database is unavailable
 */
export async function confirmRecords(database: Database, names: RecordNames): Promise<readonly string[]> {
  await waitForLast(database, names);
  const lives = [reachOf(names)];
  await noteLives(database, lives);
  const { life, events, complete } = names;
  await markKept(
    database,
    EVENTS,
    events.map(([id]) => ({ life, id })),
  );
  const lacking = await findLacking(database, names, true);
  await noteLives(database, lives);
  if (complete) await deletePhantoms(database, lives);
  await appendChanges(database, foundOf(names, lacking), await waitsFound(database, names, lacking));
  return lacking;
}

/** Waits until the last records are there. The records of a life are offered in order, so all others are there by then. */
async function waitForLast(database: Database, names: RecordNames): Promise<void> {
  const { transitions, events, operations } = names;
  const last: RecordNames = {
    ...names,
    transitions: transitions.slice(-1).map(([, version, at]) => [version, version, at]),
    events: events.slice(-1),
    operations: operations.slice(-1),
  };
  for (let waited = 0; waited < ELSEWHERE_MS; waited += LOOK_MS) {
    if ((await findLacking(database, last, false)).length === 0) return;
    await delay(LOOK_MS);
  }
}

/** Finds what the entity waits for, where its record is not lacking. */
async function waitsFound(
  database: Database,
  { life, entity }: RecordNames,
  lacking: readonly string[],
): Promise<readonly ToldWaits[]> {
  if (!entity || lacking.includes(recordName({ kind: 'entity' }))) return [];
  const { type, key, at } = entity;
  const text = `select version, coalesce(waits, '[]') as waits from ${TABLES}.${ENTITIES.name}
    where type = $1 and key = $2 and life = $3 and at = ${time('$4::float8')}`;
  const { rows } = await database.query({ name: 'waits', text, values: [type, key, life, at] });
  return (rows as readonly Pick<ToldWaits, 'version' | 'waits'>[]).map((row) => ({ ...row, life, at }));
}

/** The versions that are named and not lacking. */
function foundOf({ life, transitions }: RecordNames, lacking: readonly string[]): readonly CertainVersions[] {
  const unknown = new Set(lacking);
  const versions = transitions.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, place) => first + place),
  );
  return rangesOf(
    life,
    versions.filter((version) => !unknown.has(recordName({ kind: 'transition', version }))),
  );
}

/** A version before all others. */
const NOWHERE = -1;

function reachOf({ life, transitions, events, entity }: RecordNames): Life {
  const from = transitions.reduce((least, [first]) => Math.min(least, first), Infinity);
  let [version, at] = [NOWHERE, entity?.at ?? 0];
  for (const [, last, then] of transitions) [version, at] = [Math.max(version, last), Math.max(at, then)];
  for (const [, startedAt, endedAt] of events) at = Math.max(at, endedAt ?? startedAt);
  return { life, from, version, at };
}
