/** The type of a column. The values of a `time` are milliseconds since 1970. */
export type ColumnType = 'text' | 'text[]' | 'uuid' | 'smallint' | 'integer' | 'bigint' | 'boolean' | 'jsonb' | 'time';

export type Value = string | number | boolean | null | object;
export type Row = Readonly<Record<string, Value>>;

/** A table as the writer sees it. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns that name a row. */
  readonly key: readonly string[];
  /**
   * The columns that tell which row is newer, compared one after the other. A row replaces another one of its name when these
   * are greater; a row that is kept replaces also when they are equal. Without such columns, no row replaces another.
   */
  readonly newest: readonly string[];
  /** A further condition under which a row that is kept replaces another one, as SQL over `old` and `excluded`. */
  readonly keptWhen?: string;
  /** The condition for rows that are only offered: others are left out. SQL over `new`. */
  readonly offeredWhen?: string;
  /** The column with a unique number that never changes after the row was written. */
  readonly surrogate?: string;
  /** The column that, once true, stays true. */
  readonly sticky?: string;
  /** The column that an empty value does not replace. It alone is no reason to write a row. */
  readonly lasting?: string;
  /** The column with the time of the last change. */
  readonly writtenAt?: string;
}

/** SQL: the time of a column that has milliseconds since 1970. */
export function time(column: string): string {
  return `to_timestamp(${column} / 1000.0)`;
}

/** The name of a row within its table. The parts of a key before the last never have the character 0. */
export function nameOf(table: Table, row: Row): string {
  return table.key.map((column) => String(row[column])).join('\u0000');
}

/** Tells whether a row is newer than another one of its name. */
export function isNewer(table: Table, row: Row, than: Row): boolean {
  for (const column of table.newest) {
    const [a, b] = [Number(row[column]), Number(than[column])];
    if (a !== b) return a > b;
  }
  return false;
}
