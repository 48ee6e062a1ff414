import { createHash } from 'node:crypto';
import type pg from 'pg';
import { TABLES } from './names.js';
import { dimensionValue } from './views/view.js';

/** The tables whose rows are found by dimensions, and the columns that give their order. */
const INDEXED = { operations: 'operation_id', events: 'event_id', entities: 'type, key' };
const PREFIX = 'dimension_';

/** Makes an index for each dimension, and removes the indexes of dimensions that are no longer declared. */
export async function makeDimensionIndexes(client: pg.ClientBase, dimensions: readonly string[]): Promise<void> {
  const wanted = new Map(
    Object.entries(INDEXED).flatMap(([table, order]) =>
      dimensions.map((dimension) => [indexName(table, dimension), { table, dimension, order }] as const),
    ),
  );
  const existing = await client.query<{ indexname: string }>(
    'select indexname from pg_indexes where schemaname = $1 and starts_with(indexname, $2)',
    [TABLES, PREFIX],
  );
  for (const { indexname } of existing.rows) {
    if (!wanted.has(indexname)) await client.query(`drop index if exists ${TABLES}.${indexname}`);
  }
  for (const [name, { table, dimension, order }] of wanted) {
    const columns = `${dimensionValue('dimensions', dimension)}, ${order}`;
    await client.query(`create index if not exists ${name} on ${TABLES}.${table} (${columns})`);
  }
}

/** The name of an index. It is short enough for PostgreSQL, however long the name of the dimension is. */
function indexName(table: string, dimension: string): string {
  return `${PREFIX}${table}_${createHash('sha1').update(dimension).digest('hex').slice(0, 16)}`;
}
