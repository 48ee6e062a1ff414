import { REPLICA, MIGRATION_LOCK_TABLE, MIGRATIONS_TABLE, TABLES } from '../names.js';
import type { Side } from './side.js';

/*
 * The mark that makes a database a replica: a schema of its own, in which it says of which store it is one, and by which its tables refuse
 * what does not come from there. Without that schema, the same tables are a store. A6
 *
 * provenance.1. A database is marked before anything of the store comes into it, until the last step of its promotion.
 * provenance.2. Nothing but replication writes rows to the tables of a marked database.
 */

/** All that a replica knows of itself. */
export interface Provenance {
  /** Of its publication, slot and subscription. */
  readonly name: string;
  /** Tells who the store is: see `identityOf`. */
  readonly store: string;
  /** Where it was, for people. */
  readonly storePlace: string;
  /** All has arrived that is to arrive, and it is on its way to be a store: with everything that was committed, or without. */
  readonly promotion: 'complete' | 'incomplete' | null;
}

/** The trigger that keeps others from writing, and the one that leaves out rows while the tables are migrated. */
const REFUSES = 'reeve_replica_refuses';
const LEAVES_OUT = 'reeve_replica_leaves_out';

/** Replication fires no such triggers: it writes as a replica. */
const FUNCTIONS = `
create function ${REPLICA}.refuse() returns trigger language plpgsql as $$
begin
  raise exception 'this store is a replica of %: nothing else writes to it until it is promoted (reeve replica --promote)',
    (select store_place from ${REPLICA}.replica);
end $$;
create function ${REPLICA}.leave_out() returns trigger language plpgsql as $$ begin return null; end $$`;

/** Nothing where the database is no replica. */
export async function readProvenance(target: Side): Promise<Provenance | undefined> {
  const { there } = await target.one<{ there: boolean }>(
    `select to_regclass('${REPLICA}.replica') is not null as there`,
  );
  if (!there) return undefined;
  const [row] = await target.query<Provenance>(
    `select name, store, store_place as "storePlace", promotion from ${REPLICA}.replica`,
  );
  return row;
}

/** Makes a database a replica, in one transaction. */
export async function writeProvenance(
  target: Side,
  { name, store, storePlace }: Omit<Provenance, 'promotion'>,
): Promise<void> {
  await target.session(async (client) => {
    await client.query('begin');
    await client.query(`create schema ${REPLICA}`);
    await client.query(`create table ${REPLICA}.replica (name text primary key, store text not null,
      store_place text not null, promotion text, since timestamptz not null default now())`);
    await client.query(`insert into ${REPLICA}.replica values ($1, $2, $3)`, [name, store, storePlace]);
    await client.query(FUNCTIONS);
    await client.query('commit');
  });
}

/** From now on a promotion goes on to its end, also without the store. */
export async function beginPromotion(target: Side, how: 'complete' | 'incomplete'): Promise<void> {
  await target.query(`update ${REPLICA}.replica set promotion = $1`, [how]);
}

/** Lets everybody write to the tables of a replica that follows nobody any more. */
export async function admitWrites(target: Side): Promise<void> {
  await target.query(`drop function if exists ${REPLICA}.refuse(), ${REPLICA}.leave_out() cascade`);
}

/** The replica is a store from now on: its provenance goes, and with it all that refuses. */
export async function removeProvenance(target: Side): Promise<void> {
  await target.query(`drop schema if exists ${REPLICA} cascade`);
}

/** Lists what a store consists of: its tables, but not those that say how they were made. Partitions come with their table. */
export async function storeTables(side: Side): Promise<readonly string[]> {
  const rows = await side.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = to_regnamespace('${TABLES}') and relkind in ('r', 'p')
       and not relispartition and relpersistence = 'p' and relname <> all ($1) order by relname`,
    [[MIGRATIONS_TABLE, MIGRATION_LOCK_TABLE]],
  );
  return rows.map(({ name }) => name);
}

/** Lets the tables of a replica refuse what does not come by replication. provenance.2 */
export async function guard(target: Side): Promise<void> {
  await setTriggers(target, REFUSES, LEAVES_OUT, 'insert or update or delete or truncate', 'statement', 'refuse');
}

/**
 * Lets the tables of a replica be migrated like those of the store: they may change, and their rows too, but none comes in. The
 * store's migration has put it in there, and replication brings it.
 */
export async function leaveOutRows(target: Side): Promise<void> {
  await setTriggers(target, LEAVES_OUT, REFUSES, 'insert', 'row', 'leave_out');
}

async function setTriggers(
  target: Side,
  trigger: string,
  other: string,
  events: string,
  each: 'row' | 'statement',
  does: string,
): Promise<void> {
  const statements = (await storeTables(target)).flatMap((table) => [
    `drop trigger if exists ${other} on ${TABLES}."${table}"`,
    `create or replace trigger ${trigger} before ${events} on ${TABLES}."${table}" for each ${each}
       execute function ${REPLICA}.${does}()`,
  ]);
  // Several statements at once are one transaction.
  if (statements.length > 0) await target.query(statements.join(';\n'));
}
