import type pg from 'pg';
import { partitionTable } from '../../activities/values/table.js';

/** The table that is looked at: its name, and its columns. */
export const TABLE = 'line_items';
export const COLUMNS = [
  { name: 'id', type: 'bigint', notNull: false },
  { name: 'sku', type: 'text', notNull: false },
  { name: 'quantity', type: 'integer', notNull: false },
  { name: 'price', type: 'integer', notNull: false },
];

/** How many rows break the rule, and how many ids lie between two of them. */
export const PLANTED = 37;

/** The ids of the rows that break the rule, of so many rows. */
export function plantedIds(rows: number): readonly number[] {
  const step = Math.floor(rows / PLANTED);
  return Array.from({ length: PLANTED }, (_, at) => (at + 1) * step);
}

/** Gives a database the rows of its own partitions, of so many rows of the whole table. */
export async function fill(
  client: pg.Client,
  { rows, partitions, first, last }: Readonly<Record<'rows' | 'partitions' | 'first' | 'last', number>>,
): Promise<void> {
  // The rows are spread by PostgreSQL itself, over a table with all the partitions.
  const [all, ...parts] = [
    `CREATE TEMP TABLE spread (id bigint, sku text, quantity int, price int) PARTITION BY HASH (id)`,
    ...Array.from(
      { length: partitions },
      (_, at) =>
        `CREATE TEMP TABLE ${partitionTable('spread', at)} PARTITION OF spread FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${at})`,
    ),
  ];
  await client.query(all!);
  for (const part of parts) await client.query(part);
  await client.query(
    `INSERT INTO spread SELECT id, md5(id::text), CASE WHEN id = ANY ($2) THEN -1 ELSE id % 90 END, id % 1000
     FROM generate_series(1::bigint, $1) AS id`,
    [rows, plantedIds(rows)],
  );
  for (let partition = first; partition <= last; partition++)
    await client.query(`INSERT INTO ${TABLE} SELECT * FROM ${partitionTable('spread', partition)}`);
  await client.query('DROP TABLE spread');
  await client.query(`ANALYZE ${TABLE}`);
}
