import { tableWidth } from '../format.js';
import { formatTable, type TableColumn } from './table.js';

/** Prints a table that fits the terminal, or with `-o wide` is as wide as it is. */
export function printTable<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): void {
  console.log(formatTable(columns, rows, tableWidth()));
}
