/** How a value of a row comes. A `time` is milliseconds since 1970. */
export type ColumnType = 'text' | 'text[]' | 'uuid' | 'smallint' | 'integer' | 'bigint' | 'boolean' | 'jsonb' | 'time';

export type Value = string | number | boolean | null | object;
export type Row = Readonly<Record<string, Value>>;

/** A table as the writer sees it. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** What names a row. */
  readonly key: readonly string[];
  /**
   * A row replaces another one of its name when these are greater, compared one after the other, and one that is kept
   * also when they are equal. None: it never does.
   */
  readonly newest: readonly string[];
  /** A row that is kept replaces also when this holds, as SQL over `old` and `excluded`. */
  readonly keptWhen?: string;
  /** Which of the rows that are only offered are taken, as SQL over `new`. */
  readonly offeredWhen?: string;
  /** The column of a number that is unique and never changes once the row is there. */
  readonly surrogate?: string;
  /** The column that, once true, stays true. */
  readonly sticky?: string;
  /** The column with the time of the last change. */
  readonly writtenAt?: string;
}

/** SQL: the time that a column of JSON holds. */
export function time(column: string): string {
  return `to_timestamp(${column} / 1000.0)`;
}

/** The name of a row within its table. What comes before the last part of a key never has the character 0. */
export function nameOf(table: Table, row: Row): string {
  return table.key.map((column) => String(row[column])).join('\u0000');
}

/** Whether a row is newer than another one of its name. */
export function isNewer(table: Table, row: Row, than: Row): boolean {
  for (const column of table.newest) {
    const [a, b] = [Number(row[column]), Number(than[column])];
    if (a !== b) return a > b;
  }
  return false;
}
