import type { Resumption } from '../../protocol/resumption.js';
import { TABLES } from '../names.js';
import { ENTITIES } from '../rows/entity-row.js';
import { storableJson } from './json.js';
import type { Database } from './write-rows.js';

/*
 * Anything that went on in another process while it waited. It counts where the process before has died. S5.1
 *
 * resumptions.1. The row of an entity names the writer of the process that has the entity in memory.
 * resumptions.2. Whoever goes on with an entity notes which writer had it. Whether that one has died, its signs of life tell later: a
 *     process that only needed its memory for others goes on to give them, and one that ends takes its row away.
 */

const NOTE = `with told as (
    select distinct * from json_to_recordset($1::json) as told(type text, key text, life text, event text, operation text)
  ), held as materialized (
    select e.type, e.key, e.life, e.writer from ${TABLES}.${ENTITIES.name} e
    where (e.type, e.key, e.life) in (select type, key, life from told) and e.writer is distinct from $2::uuid
    order by e.type, e.key for update
  ), noted as (
    insert into ${TABLES}.resumptions (life, event, operation, writer, at)
    select told.life, told.event, told.operation, held.writer, clock_timestamp()
    from told join held on held.life = told.life where held.writer is not null
  )
  update ${TABLES}.${ENTITIES.name} e set writer = $2::uuid from held where e.type = held.type and e.key = held.key`;

/** Notes which writers had these entities, and that `writer` has them now. @throws when the database is unavailable */
export async function noteResumptions(
  database: Database,
  resumptions: readonly Resumption[],
  writer: string,
): Promise<void> {
  const told = resumptions.flatMap(({ entity, goesOn }) => goesOn.map((each) => ({ ...entity, ...each })));
  await database.query({ name: 'resumptions', text: NOTE, values: [storableJson(told), writer] });
}
