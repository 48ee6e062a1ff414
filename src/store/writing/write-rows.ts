import { TABLES } from '../names.js';
import { columnValues } from './columns.js';
import { failureOf } from './failure.js';
import type { Row, Table } from './table.js';
import { upsertStatement } from './upsert.js';

/** What runs statements: a pool or a client of `pg`. */
export interface Database {
  query(config: {
    readonly name?: string;
    readonly text: string;
    readonly values: unknown[];
  }): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
}

/** Told of a row that PostgreSQL does not take, which is left out. */
export type Refused = (table: string, row: Row, reason: string) => void;

/** Rows of a statement, at most: a bigger one holds its locks for long. */
const ROWS = 2_000;

/**
 * Writes rows of a table: what is older than what is there changes nothing.
 * @throws when the database is away; what was written until then stays
 */
export async function writeRows(
  database: Database,
  table: Table,
  rows: readonly Row[],
  kept: boolean,
  refused: Refused,
): Promise<void> {
  const write = async (part: readonly Row[]): Promise<void> => {
    let step = 1;
    for (let left: readonly Row[] = spread(table, part); ;) {
      try {
        const values = [...columnValues(table, left)];
        await database.query({ name: `${table.name} ${kept}`, text: upsertStatement(table, kept), values });
        return;
      } catch (thrown) {
        const failure = failureOf(thrown);
        if (failure === 'away') throw thrown;
        if (failure === 'contention') continue;
        if (failure === 'taken' && table.surrogate !== undefined) {
          left = await moveFromTaken(database, table, table.surrogate, left, step);
          step *= 2;
          continue;
        }
        if (left.length > 1) {
          const middle = left.length >> 1;
          await write(left.slice(0, middle));
          return write(left.slice(middle));
        }
        for (const row of left) refused(table.name, row, thrown instanceof Error ? thrown.message : String(thrown));
        return;
      }
    }
  };
  for (let start = 0; start < rows.length; start += ROWS) await write(rows.slice(start, start + ROWS));
}

/** In the order of their numbers, each with one of its own. */
function spread(table: Table, rows: readonly Row[]): readonly Row[] {
  const { surrogate } = table;
  if (surrogate === undefined) return rows;
  const sorted = [...rows].sort((one, other) => Number(one[surrogate]) - Number(other[surrogate]));
  return inOrder(surrogate, sorted);
}

/** Gives each row a number after that of the row before it. */
function inOrder(surrogate: string, rows: readonly Row[]): readonly Row[] {
  let next = 0;
  return rows.map((row) => {
    const number = Math.max(next, Number(row[surrogate]));
    next = number + 1;
    return number === row[surrogate] ? row : { ...row, [surrogate]: number };
  });
}

/** Gives rows whose number another row has a later one; those after them keep their order. */
async function moveFromTaken(
  database: Database,
  table: Table,
  surrogate: string,
  rows: readonly Row[],
  step: number,
): Promise<readonly Row[]> {
  const text = `select ${[surrogate, ...table.key].join(', ')} from ${TABLES}.${table.name}
    where ${surrogate} = any($1::bigint[])`;
  const numbers = rows.map((row) => row[surrogate]);
  const { rows: there } = await database.query({ text, values: [numbers] });
  const taken = new Map((there as readonly Row[]).map((row) => [Number(row[surrogate]), row]));
  const moved = rows.map((row) => {
    const other = taken.get(Number(row[surrogate]));
    if (!other || table.key.every((column) => other[column] === row[column])) return row;
    return { ...row, [surrogate]: Number(row[surrogate]) + step };
  });
  return inOrder(surrogate, moved);
}
