import type { ColumnType, Row, Value } from './table.js';

/** The columns of a table, with their types, and what makes a row of a source. */
export interface FilledColumns<Source> {
  readonly types: Readonly<Record<string, ColumnType>>;
  row(source: Source): Row;
}

/** Makes types and rows from one list of columns. What the source does not have is null. */
export function filledColumns<Source>(
  columns: Readonly<Record<string, readonly [type: ColumnType, of: (source: Source) => Value | undefined]>>,
): FilledColumns<Source> {
  const entries = Object.entries(columns);
  return {
    types: Object.fromEntries(entries.map(([name, [type]]) => [name, type])),
    row: (source) => Object.fromEntries(entries.map(([name, [, of]]) => [name, of(source) ?? null])),
  };
}
