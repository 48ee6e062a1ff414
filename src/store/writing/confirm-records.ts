import { setTimeout as delay } from 'node:timers/promises';
import type { RecordNames } from '../../protocol/record-names.js';
import { TABLES } from '../names.js';
import { EVENTS } from '../rows/event-row.js';
import { OPERATIONS } from '../rows/operation-row.js';
import { storableJson } from './json.js';
import { noteLives, type Life } from './lives.js';
import { deletePhantoms, markKept } from './phantoms.js';
import { time } from './table.js';
import type { Database } from './write-rows.js';

/*
 * C1. A row is there when it says the same, told by its times: what a lost task had offered does not pass for what happened.
 * C2. What is there is kept from then on: no phantom and nothing offered can take it away. It counts only after a write that
 *     waits for the disk, since what is offered does not: when PostgreSQL crashes, what was confirmed is not lost.
 */

/** Another worker may be about to write what it was offered. */
const ELSEWHERE_MS = 250;

const table = (name: string) => `${TABLES}.${name}`;

/**
 * Row by row, by the key: no plan that reads a whole life to find some rows of it. An event with an exception is there when
 * that is, too: it is written after its event.
 */
const LACKING = `select 'transition/' || n.version as name
    from json_to_recordset($2::json) as runs(first integer, last integer, at float8),
      generate_series(runs.first, runs.last) as n(version)
    where (select true from ${table('transitions')} t
      where t.life = $1 and t.version = n.version and t.at = ${time('runs.at')}) is null
  union all select 'event/' || n.id
    from json_to_recordset($3::json) as n(id text, started_at float8, ended_at float8)
    where (select true from ${table('events')} e
      where e.life = $1 and e.id = n.id and e.started_at = ${time('n.started_at')}
        and e.ended_at is not distinct from ${time('n.ended_at')}
        and (e.exception is null or exists (select from ${table('exceptions')} x
          where x.life = e.life and x.event = e.id and x.exception = e.exception))) is null
  union all select 'operation/' || n.id
    from json_to_recordset($4::json) as n(id text, ended_at float8)
    where (select true from ${table('operations')} o
      where o.request_id = n.id and o.ended_at = ${time('n.ended_at')}) is null
  union all select 'entity'
    from json_to_recordset($5::json) as n(type text, key text, at float8)
    where (select true from ${table('entities')} e
      where e.type = n.type and e.key = n.key
        and case when e.life = $1 then e.at >= ${time('n.at')} else e.born_at > ${time('n.at')} end) is null`;

/**
 * The names of the records that are not there. What is there is kept from now on.
 * @throws when the database is away
 */
export async function confirmRecords(database: Database, names: RecordNames): Promise<readonly string[]> {
  let lacking = await findLacking(database, names);
  if (lacking.length > 0) {
    await delay(ELSEWHERE_MS);
    lacking = await findLacking(database, names);
  }
  const { life, events, operations, complete } = names;
  await markKept(
    database,
    OPERATIONS,
    operations.map(([request_id]) => ({ request_id })),
  );
  await markKept(
    database,
    EVENTS,
    events.map(([id]) => ({ life, id })),
  );
  const lives = [reachOf(names)];
  await noteLives(database, lives);
  if (complete) await deletePhantoms(database, lives);
  return lacking;
}

async function findLacking(database: Database, names: RecordNames): Promise<readonly string[]> {
  const { life, transitions, events, operations, entity } = names;
  const values = [
    life,
    storableJson(transitions.map(([first, last, at]) => ({ first, last, at }))),
    storableJson(events.map(([id, started_at, ended_at]) => ({ id, started_at, ended_at }))),
    storableJson(operations.map(([id, ended_at]) => ({ id, ended_at }))),
    storableJson(entity ? [entity] : []),
  ];
  const { rows } = await database.query({ name: 'lacking', text: LACKING, values });
  return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
}

/** Before every version. */
const NOWHERE = -1;

function reachOf({ life, transitions, events, entity }: RecordNames): Life {
  let [version, at] = [NOWHERE, entity?.at ?? 0];
  for (const [, last, then] of transitions) [version, at] = [Math.max(version, last), Math.max(at, then)];
  for (const [, startedAt, endedAt] of events) at = Math.max(at, endedAt ?? startedAt);
  return { life, version, at };
}
