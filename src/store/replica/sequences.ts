import { TABLES } from '../names.js';
import type { Side } from './side.js';

/*
 * Replication carries rows, and not the sequences that number them.
 */

/** Lets the sequences of a replica go on where those of the store are. */
export async function replicaSequences(store: Side, target: Side): Promise<void> {
  const sequences = await store.query<{ name: string; value: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
     from pg_sequences where schemaname = '${TABLES}' and last_value is not null`,
  );
  for (const { name, value } of sequences) await target.query('select setval($1::regclass, $2::bigint)', [name, value]);
}

/** Where the store cannot be asked: each sequence that numbers a column goes on after the highest number in it. */
export async function advanceSequences(target: Side): Promise<void> {
  const sequences = await target.query<{ name: string; table: string; column: string }>(
    `select pg_depend.objid::regclass::text as name, refobjid::regclass::text as table, quote_ident(attname) as column
     from pg_depend
       join pg_class on pg_class.oid = objid and relkind = 'S' and relnamespace = to_regnamespace('${TABLES}')
       join pg_attribute on attrelid = refobjid and attnum = refobjsubid
     where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')`,
  );
  for (const { name, table, column } of sequences) {
    await target.query(
      `select setval($1::regclass, highest) from (select max(${column}) as highest from ${table}) as used where highest > 0`,
      [name],
    );
  }
}
