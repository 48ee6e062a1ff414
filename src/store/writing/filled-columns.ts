import type { ColumnType, Row, Value } from './table.js';

/** The columns of a table, each with how it comes and what of a source fills it. */
export interface FilledColumns<Source> {
  readonly types: Readonly<Record<string, ColumnType>>;
  row(source: Source): Row;
}

/** Says each column once. What the source does not have is null. */
export function filledColumns<Source>(
  columns: Readonly<Record<string, readonly [type: ColumnType, of: (source: Source) => Value | undefined]>>,
): FilledColumns<Source> {
  const entries = Object.entries(columns);
  return {
    types: Object.fromEntries(entries.map(([name, [type]]) => [name, type])),
    row: (source) => Object.fromEntries(entries.map(([name, [, of]]) => [name, of(source) ?? null])),
  };
}
