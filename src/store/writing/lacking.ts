import type { RecordNames } from '../../protocol/record-names.js';
import { TABLES } from '../names.js';
import { storableJson } from './json.js';
import { time } from './table.js';
import type { Database } from './write-rows.js';

const table = (name: string) => `${TABLES}.${name}`;

/*
 * Looks row by row, by the key, so that PostgreSQL has no plan that reads a whole life to find some rows of it. PostgreSQL expects one
 * row of a life that is younger than its statistics, and would read any index that begins with the life: only the key may serve. An
 * operation that has ended together with its event needs no name here: its row is written before that of the event.
 */
const LACKING = `select 'transition/' || n.version as name
    from json_to_recordset($3::json) as runs(first integer, last integer, at float8),
      generate_series(runs.first, runs.last) as n(version)
    where (select true from ${table('transitions')} t
      where t.life = $1 and t.version = n.version and t.at = ${time('runs.at')}) is null
  union all select 'event/' || n.id
    from json_to_recordset($4::json) as n(id text, started_at float8, ended_at float8)
    where (select true from ${table('events')} e
      where e.id = n.id and e.life || '' = $1 and (e.kept or not $2::boolean) and e.started_at = ${time('n.started_at')}
        and e.ended_at is not distinct from ${time('n.ended_at')}) is null
  union all select 'operation/' || n.id
    from json_to_recordset($5::json) as n(id text, ended_at float8)
    where (select true from ${table('operations')} o
      where o.request_id = n.id and o.ended_at = ${time('n.ended_at')}
        and (o.kept or not $2::boolean or exists (select from ${table('events')} e
          where e.operation = o.request_id and e.kept))) is null
  union all select 'entity'
    from json_to_recordset($6::json) as n(type text, key text, at float8)
    where (select true from ${table('entities')} e
      where e.type = n.type and e.key = n.key
        and case when e.life = $1 then e.at >= ${time('n.at')} else e.born_at > ${time('n.at')} end) is null`;

/**
 * The names of the records that the store lacks. With `kept`, also of those that could still be deleted as phantoms. An operation
 * cannot be deleted any more when an event of it is kept.
 */
export async function findLacking(database: Database, names: RecordNames, kept: boolean): Promise<readonly string[]> {
  const { life, transitions, events, operations, entity } = names;
  const values = [
    life,
    kept,
    storableJson(transitions.map(([first, last, at]) => ({ first, last, at }))),
    storableJson(events.map(([id, started_at, ended_at]) => ({ id, started_at, ended_at }))),
    storableJson(operations.map(([id, ended_at]) => ({ id, ended_at }))),
    storableJson(entity ? [entity] : []),
  ];
  const { rows } = await database.query({ name: 'lacking', text: LACKING, values });
  return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
}
