import type { LivePage } from '../../client/live/live-reader.js';
import type { PageRequest } from '../../client/live/visibility.js';
import { errorColours } from '../colours.js';
import { EXIT } from '../exit.js';
import { printJsonList } from '../json.js';
import { printTable } from './table-printing.js';
import type { TableColumn } from './table.js';

/** The most rows that Temporal gives at once. */
const PAGE = 1_000;

export interface LiveOptions {
  readonly top: number;
  readonly json?: boolean;
}

interface LiveRows<Row> {
  readonly rows: readonly Row[];
  /** Tells whether there are more than were asked for. */
  readonly more: boolean;
}

/** The first rows of what runs, from as many pages as needed. */
export async function liveRows<Row>(
  top: number,
  list: (page: PageRequest) => Promise<LivePage<Row>>,
): Promise<LiveRows<Row>> {
  const rows: Row[] = [];
  let token: string | undefined;
  do {
    const page = await list({ rows: Math.min(top + 1, PAGE), token });
    rows.push(...page.rows);
    token = page.next;
  } while (token !== undefined && rows.length <= top);
  return { rows: rows.slice(0, top), more: rows.length > top };
}

/** Prints what runs, and gives the exit code. As JSON, each row has a link to its workflow in Temporal's UI. S5.6 */
export function printLive<Row extends object>(
  { rows, more }: LiveRows<Row>,
  columns: readonly TableColumn<Row>[],
  executionOf: (row: Row) => string,
  { json, none }: { readonly json?: boolean; readonly none: string },
): number {
  if (json) printJsonList(rows.map((row) => ({ ...row, execution: executionOf(row) })));
  else if (rows.length === 0) console.error(none);
  else printTable(columns, rows);
  if (more) console.error(errorColours.dim('There are more. Ask for them with a larger --top, or for fewer kinds.'));
  return EXIT.done;
}
