import { setTimeout as delay } from 'node:timers/promises';
import type { RecordNames } from '../../protocol/record-names.js';
import { EVENTS } from '../rows/event-row.js';
import { findLacking } from './lacking.js';
import { noteLives, type Life } from './lives.js';
import { deletePhantoms, markKept } from './phantoms.js';
import type { Database } from './write-rows.js';

/*
 * confirm-records.1. A row is there when it says the same, told by its times: what a lost task had offered does not pass for what
 *     happened.
 * confirm-records.2. What is said to be there stays there: before that is looked up, the life is noted and its events are marked
 *     as kept, so that nobody takes them for phantoms.
 * confirm-records.3. It is on the disk: a write that waits for the disk comes after the look, since what is offered does not wait
 *     for it.
 */

/** How long another worker has to write what it was offered, and how long between two looks, in milliseconds. */
const ELSEWHERE_MS = 500;
const LOOK_MS = 50;

/**
 * The names of the records that are not there. What is there is kept from now on.
 * @throws when the database is away
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
  return lacking;
}

/** A life's records are offered in order: when the last are there, all are, wherever the worker is that writes them. */
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

/** Before every version. */
const NOWHERE = -1;

function reachOf({ life, transitions, events, entity }: RecordNames): Life {
  const from = transitions.reduce((least, [first]) => Math.min(least, first), Infinity);
  let [version, at] = [NOWHERE, entity?.at ?? 0];
  for (const [, last, then] of transitions) [version, at] = [Math.max(version, last), Math.max(at, then)];
  for (const [, startedAt, endedAt] of events) at = Math.max(at, endedAt ?? startedAt);
  return { life, from, version, at };
}
