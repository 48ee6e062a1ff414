import { TABLES } from '../names.js';
import { columnValues } from './columns.js';
import { failureOf } from './failure.js';
import type { Row, Table } from './table.js';
import { upsertStatement } from './upsert.js';
import { messageOf } from '../../definition/thrown.js';

/** Anything that runs statements: a pool or a client of `pg`. */
export interface Database {
  query(config: {
    readonly name?: string;
    readonly text: string;
    readonly values: unknown[];
  }): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
}

/** Is called for a row that PostgreSQL does not take. The row is left out. */
export type Refused = (table: string, row: Row, reason: string) => void;

/** The most rows of a statement. A bigger one would hold its locks for too long. */
const ROWS = 2_000;

/**
 * Writes rows of a table. A row that is older than the one in the table changes nothing.
 * @throws when the database is unavailable; the rows that were written by then stay
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
        for (const row of left) refused(table.name, row, messageOf(thrown));
        return;
      }
    }
  };
  for (let start = 0; start < rows.length; start += ROWS) await write(rows.slice(start, start + ROWS));
}

/** The rows in the order of their numbers, each with a number of its own. */
function spread(table: Table, rows: readonly Row[]): readonly Row[] {
  const { surrogate } = table;
  if (surrogate === undefined) return rows;
  const sorted = [...rows].sort((one, other) => Number(one[surrogate]) - Number(other[surrogate]));
  return inOrder(surrogate, sorted);
}

/** Gives each row a number that is higher than that of the row before it. */
function inOrder(surrogate: string, rows: readonly Row[]): readonly Row[] {
  let next = 0;
  return rows.map((row) => {
    const number = Math.max(next, Number(row[surrogate]));
    next = number + 1;
    return number === row[surrogate] ? row : { ...row, [surrogate]: number };
  });
}

/** Gives a later number to each row whose number is taken in the table. The order of the rows stays. */
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
