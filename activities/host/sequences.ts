import type pg from 'pg';

/*
 * Replication carries rows, but not the sequences that number them.
 */
interface Sequence {
  readonly name: string;
  readonly value: string;
}

/** The latest value of each sequence of a database. Sequences that were never used are left out. */
export async function readSequences(client: pg.Client): Promise<readonly Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS value
     FROM pg_sequences WHERE last_value IS NOT NULL`,
  );
  return rows;
}

export async function writeSequences(client: pg.Client, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, value } of sequences) await client.query('SELECT setval($1::regclass, $2)', [name, value]);
}

/**
 * Sets the sequences where the primary cannot be asked. Each sequence that numbers a column goes on after the highest number in
 * it.
 */
export async function advanceSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; table: string; column: string }>(
    `SELECT pg_depend.objid::regclass::text AS name, refobjid::regclass::text AS table, quote_ident(attname) AS column
     FROM pg_depend
       JOIN pg_class ON pg_class.oid = objid AND relkind = 'S'
       JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
     WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i')`,
  );
  for (const { name, table, column } of rows) {
    await client.query(
      `SELECT setval($1::regclass, highest) FROM (SELECT max(${column}) AS highest FROM ${table}) AS used WHERE highest > 0`,
      [name],
    );
  }
}
