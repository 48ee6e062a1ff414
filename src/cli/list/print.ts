import { errorColours } from '../colours.js';
import { EXIT } from '../exit.js';
import { printJsonList } from '../json.js';
import type { ListedPage } from '../api/list.js';
import { printTable } from './table-printing.js';
import type { TableColumn } from './table.js';

/** Prints a page, and gives the exit code. Other texts go to standard error. */
export function printPage<Row>(
  { rows, next }: ListedPage<Row>,
  columns: readonly TableColumn<Row>[],
  { json, none }: { readonly json?: boolean; readonly none: string },
): number {
  if (json) printJsonList(rows, next);
  else if (rows.length === 0) console.error(none);
  else {
    printTable(columns, rows);
    if (next !== undefined) {
      console.error(errorColours.dim(`There are more. Repeat the command with --skip-token ${next}`));
    }
  }
  return EXIT.done;
}
