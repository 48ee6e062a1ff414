import { TABLES } from '../names.js';
import { ENTITIES } from '../rows/entity-row.js';
import { EVENTS } from '../rows/event-row.js';
import { OPERATIONS } from '../rows/operation-row.js';
import { TRANSITIONS } from '../rows/transition-row.js';
import { storableJson } from './json.js';
import type { Life, Reached } from './lives.js';
import { time, type Row, type Table } from './table.js';
import type { Database } from './write-rows.js';

/*
 * A workflow task that is lost leaves rows of what it had decided and nobody ever saw. The task in its place comes later, so the
 * time tells which rows these are: they are from before what is certain of the life, and not part of it.
 */

const events = `${TABLES}.${EVENTS.name}`;
const transitions = `${TABLES}.${TRANSITIONS.name}`;
const operations = `${TABLES}.${OPERATIONS.name}`;
const lives = `${TABLES}.lives kept`;

/** Locks rows in the same order as writers. */
const DELETE_TRANSITIONS = `with phantoms as (
    select t.life, t.version from ${transitions} t join ${lives} on t.life = kept.life and kept.life = any($1::text[])
    where t.version > kept.version and t.at < kept.at
    order by t.life, t.version for update of t
  )
  delete from ${transitions} t using phantoms p where t.life = p.life and t.version = p.version`;

/** How many versions before the present records are looked at again, since an earlier lost task may have left rows there. */
const AGAIN = 1_000;

/**
 * Looks at each life by itself and in the order of its versions, so that PostgreSQL has no plan that reads whole lives or the
 * whole table. The limit serves only for that.
 */
const DELETE_EVENTS = `with found as materialized (
    select p.* from json_to_recordset($1::json) as told(life text, "from" integer) join ${lives} on told.life = kept.life,
      lateral (select e.life, e.id from ${events} e
        where e.life = kept.life and e.start_version >= least(told."from", kept.version) - ${AGAIN}
          and not e.kept and (e.start_version < kept.version or e.started_at < kept.at)
        order by e.start_version limit 100000) p
  ), phantoms as (
    select e.life, e.id from ${events} e join found p on e.life = p.life and e.id = p.id
    where not e.kept
    order by e.event_id, e.life, e.id for update of e
  )
  delete from ${events} e using phantoms p where e.life = p.life and e.id = p.id
  returning e.operation`;

/** An operation is a phantom when nobody has kept it and no event of it is left. */
const DELETE_OPERATIONS = `with phantoms as (
    select o.request_id from ${operations} o
    where o.request_id in (select operation from json_to_recordset($1::json) as gone(operation text))
      and not o.kept and not exists (select from ${events} e where e.operation = o.request_id)
    order by o.operation_id, o.request_id for update
  )
  delete from ${operations} o using phantoms p where o.request_id = p.request_id`;

const REACHED = 'json_to_recordset($1::json) as reached(life text, version integer, at float8)';
const REACHED_AT = time('reached.at');
const IS_KEPT = (life: string, version: string) =>
  `exists (select from ${lives} where kept.life = ${life} and kept.version >= ${version})`;

/**
 * Looks life by life, by an index, so that PostgreSQL has no plan that reads the whole table, also not by the index of the time. The limits
 * serve only for that.
 */
const OVERTAKEN_TRANSITIONS = `select t.life, t.version from ${transitions} t
  where t.life = reached.life and t.version > reached.version and (t.at < ${REACHED_AT}) is true
    and not ${IS_KEPT('t.life', 't.version')}
  order by t.version limit 100000`;
const OVERTAKEN_EVENTS = `select e.life, e.id from ${events} e
  where e.life = reached.life and e.start_version > reached.version and (e.started_at < ${REACHED_AT}) is true and not e.kept
  order by e.start_version limit 100000`;

/** Phantoms are rare, so one query looks first whether any life of a batch has some. */
const HAVE_OVERTAKEN = `select reached.life from ${REACHED}
  where exists (${OVERTAKEN_TRANSITIONS}) or exists (${OVERTAKEN_EVENTS})`;

const DELETE_OVERTAKEN_TRANSITIONS = `with found as materialized (
    select p.* from ${REACHED}, lateral (${OVERTAKEN_TRANSITIONS}) p
  ), phantoms as (
    select t.life, t.version from ${transitions} t join found p on t.life = p.life and t.version = p.version
    order by t.life, t.version for update of t
  )
  delete from ${transitions} t using phantoms p where t.life = p.life and t.version = p.version`;

const DELETE_OVERTAKEN_EVENTS = `with found as materialized (
    select p.* from ${REACHED}, lateral (${OVERTAKEN_EVENTS}) p
  ), phantoms as (
    select e.life, e.id from ${events} e join found p on e.life = p.life and e.id = p.id
    where not e.kept
    order by e.event_id, e.life, e.id for update of e
  )
  delete from ${events} e using phantoms p where e.life = p.life and e.id = p.id
  returning e.operation`;

/**
 * Deletes what was only offered and is overtaken: its version is higher than the one that the entity had at a later time. The
 * records that show this need not be kept, since time and version grow together in everything that happens. It is done once for
 * each batch, since doing it for each event would cost more.
 */
export async function deleteOvertaken(database: Database, reached: readonly Reached[]): Promise<void> {
  if (reached.length === 0) return;
  const found = await database.query({ name: 'overtaken', text: HAVE_OVERTAKEN, values: [storableJson(reached)] });
  const lives = new Set((found.rows as readonly Pick<Reached, 'life'>[]).map(({ life }) => life));
  if (lives.size === 0) return;
  const values = [storableJson(reached.filter(({ life }) => lives.has(life)))];
  await database.query({ text: DELETE_OVERTAKEN_TRANSITIONS, values });
  const { rows } = await database.query({ text: DELETE_OVERTAKEN_EVENTS, values });
  if (rows.length > 0) await database.query({ text: DELETE_OPERATIONS, values: [storableJson(rows)] });
}

/** Deletes what was only offered in these lives and never happened. */
export async function deletePhantoms(database: Database, kept: readonly Life[]): Promise<void> {
  if (kept.length === 0) return;
  const names = kept.map(({ life }) => life);
  await database.query({ name: 'transition phantoms', text: DELETE_TRANSITIONS, values: [names] });
  const told = storableJson(kept.map(({ life, from }) => ({ life, from })));
  const { rows } = await database.query({ name: 'event phantoms', text: DELETE_EVENTS, values: [told] });
  if (rows.length === 0) return;
  await database.query({ text: DELETE_OPERATIONS, values: [storableJson(rows)] });
}

const DELETE_STANDING = `delete from ${TABLES}.${ENTITIES.name} e where e.life = $1 and e.version > $2 and e.at < ${time('$3::float8')}`;

/** Deletes the row of an entity that is from before this time and of a later version: that never happened. */
export async function deleteStandingBeyond(database: Database, { life, version, at }: Reached): Promise<void> {
  await database.query({ text: DELETE_STANDING, values: [life, version, at] });
}

/**
 * Marks the rows with these keys as kept, even where a newer row of the same key was only offered. The statement has no name, so that
 * PostgreSQL plans it by the present size of the table: a plan that was made for a small one would read all of it. See ./lacking.ts
 */
export async function markKept(database: Database, table: Table, keys: readonly Row[]): Promise<void> {
  if (keys.length === 0) return;
  const { key, surrogate } = table;
  const same = (one: string, other: string) =>
    key.map((name) => `${one}.${name}${name === 'life' ? ` || ''` : ''} = ${other}.${name}`).join(' and ');
  const text = `with offered as (
      select ${key.map((name) => `r.${name}`).join(', ')} from ${TABLES}.${table.name} r
      join json_to_recordset($1::json) as named(${key.map((name) => `${name} text`).join(', ')}) on ${same('r', 'named')}
      where not r.kept
      order by ${[surrogate, ...key].map((name) => `r.${name}`).join(', ')} for update of r
    )
    update ${TABLES}.${table.name} r set kept = true from offered where ${same('r', 'offered')}`;
  await database.query({ text, values: [storableJson(keys)] });
}
