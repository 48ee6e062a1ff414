import { TABLES } from '../names.js';
import type { SameLsn } from './same-lsn.js';
import type { Queryable } from './side.js';

/*
 * Two tables are compared by sums of hashes: rows are dealt into buckets by their keys, so that a difference leads to few rows,
 * which are compared one by one.
 */

/** A row that is not the same on both sides. */
export interface RowDifference {
  /** The values of its key, as PostgreSQL writes a row: `(orders,3)`. */
  readonly key: string;
  readonly how: 'missing in the replica' | 'only in the replica' | 'different';
}

/** How a table is on both sides. */
export interface TableComparison {
  readonly table: string;
  readonly rows: { readonly store: number; readonly replica: number };
  readonly equal: boolean;
  /** Some of the rows that differ. */
  readonly differences: readonly RowDifference[];
  /** Any other difference, in words: the columns. */
  readonly problem: string | null;
}

/** How many rows that differ are named, of each table. */
const NAMED = 10;
/** In how many buckets they are looked for. */
const OPENED = 8;

interface Shape {
  /** The names of all columns, in order, quoted. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

interface Bucket {
  readonly bucket: number;
  readonly rows: number;
  readonly hash: string;
}

export async function compareTable({ store, target }: SameLsn, table: string): Promise<TableComparison> {
  const [shape, other] = await Promise.all([shapeOf(store, table), shapeOf(target, table)]);
  if (shape.columns.join() !== other.columns.join()) {
    const problem = `the store has the columns ${shape.columns.join(', ')}; the replica ${other.columns.join(', ') || 'none'}`;
    return { table, rows: { store: 0, replica: 0 }, equal: false, differences: [], problem };
  }
  const [theirs, own] = await Promise.all([bucketsOf(store, table, shape), bucketsOf(target, table, shape)]);
  const numbers = new Set([...theirs.keys(), ...own.keys()]);
  const differing = [...numbers].filter((number) => {
    const [one, two] = [theirs.get(number), own.get(number)];
    return one?.rows !== two?.rows || one?.hash !== two?.hash;
  });
  const rows = { store: total(theirs), replica: total(own) };
  if (differing.length === 0) return { table, rows, equal: true, differences: [], problem: null };
  const opened = differing.slice(0, OPENED);
  const [before, after] = await Promise.all([
    rowsOf(store, table, shape, opened),
    rowsOf(target, table, shape, opened),
  ]);
  return { table, rows, equal: false, differences: differencesOf(before, after).slice(0, NAMED), problem: null };
}

/** A table without a key is told apart by all its columns. */
async function shapeOf(client: Queryable, table: string): Promise<Shape> {
  const { rows } = await client.query<{ column: string; of_key: boolean }>(
    `select quote_ident(attname) as column, coalesce(attnum = any (indkey), false) as of_key
     from pg_attribute left join pg_index on indrelid = attrelid and indisprimary
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attname`,
    [`${TABLES}."${table}"`],
  );
  const columns = rows.map(({ column }) => column);
  const key = rows.filter((row) => row.of_key).map(({ column }) => column);
  return { columns, key: key.length === 0 ? columns : key };
}

/** Each row's key as a text, its bucket, and a hash of all its values. */
function hashed(table: string, { columns, key }: Shape): string {
  const bytes = (names: readonly string[]) => `sha256(convert_to(row(${names.join(', ')})::text, 'UTF8'))`;
  return `select row(${key.join(', ')})::text as key, get_byte(of_key, 0) * 16 + get_byte(of_key, 1) / 16 as bucket,
      ('x' || encode(substr(of_row, 1, 8), 'hex'))::bit(64)::bigint as hash
    from (select *, ${bytes(key)} as of_key, ${bytes(columns)} as of_row from ${TABLES}."${table}") as rows`;
}

async function bucketsOf(client: Queryable, table: string, shape: Shape): Promise<ReadonlyMap<number, Bucket>> {
  const { rows } = await client.query<Bucket>(
    `select bucket, count(*)::int as rows, sum(hash)::text as hash from (${hashed(table, shape)}) as hashed group by bucket`,
  );
  return new Map(rows.map((row) => [row.bucket, row]));
}

async function rowsOf(client: Queryable, table: string, shape: Shape, buckets: readonly number[]) {
  const { rows } = await client.query<{ key: string; hash: string }>(
    `select key, hash::text as hash from (${hashed(table, shape)}) as hashed where bucket = any ($1) order by key collate "C"`,
    [buckets],
  );
  return new Map(rows.map(({ key, hash }) => [key, hash]));
}

function differencesOf(
  store: ReadonlyMap<string, string>,
  replica: ReadonlyMap<string, string>,
): readonly RowDifference[] {
  const found: RowDifference[] = [];
  for (const [key, hash] of store) {
    if (!replica.has(key)) found.push({ key, how: 'missing in the replica' });
    else if (replica.get(key) !== hash) found.push({ key, how: 'different' });
  }
  for (const key of replica.keys()) if (!store.has(key)) found.push({ key, how: 'only in the replica' });
  return found;
}

function total(buckets: ReadonlyMap<number, Bucket>): number {
  return [...buckets.values()].reduce((sum, { rows }) => sum + rows, 0);
}
