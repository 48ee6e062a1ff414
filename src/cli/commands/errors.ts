import type { Command } from 'commander';
import { readList, type ListedRow } from '../api/list.js';
import { withApi } from '../api/with-api.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { dim } from '../list/columns.js';
import { equal } from '../list/condition.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { printPage } from '../list/print.js';
import { keepEnd, keepKey, type TableColumn } from '../list/table.js';
import { run } from '../run.js';

interface ErrorsOptions extends ListOptions {
  readonly kind?: string;
  readonly exceptions?: boolean;
}

/** An error with the latest operation that ended with it. */
type ListedError = ListedRow<'workflow_errors'> & { readonly operations?: readonly ListedRow<'operations'>[] };

/** `reeve errors` S5.1 */
export function defineErrors(program: Command): void {
  const command = program
    .command('errors')
    .description('list distinct errors, the newest first')
    .option('--kind <kind>', 'only errors of that kind, like retryable')
    .option('--exceptions', 'list the exceptions of actions instead, each with its operation and event');
  withListOptions(command, { dimensions: false })
    .addHelpText(
      'after',
      examples(
        ['reeve errors', 'the latest errors; reeve summary counts them'],
        ['reeve errors --exceptions', 'defects in the code of entities'],
        [`reeve errors --where "contains(error_details,'port')"`, 'filtered by any column'],
      ),
    )
    .action(run(errors));
}

async function errors(options: ErrorsOptions): Promise<number> {
  const none = 'There are no such errors.';
  return withApi('store', async (api) => {
    if (options.exceptions) {
      const order = options.sort ?? 'exception_id desc';
      const query = { ...options, view: 'workflow_exceptions', order, conditions: [] } as const;
      const page = await readList<ListedRow<'workflow_exceptions'>>(api, '/api/exceptions', query);
      return printPage(page, EXCEPTION_COLUMNS, { ...options, none: 'There are no such exceptions.' });
    }
    const page = await readList<ListedError>(api, '/api/errors', {
      view: 'workflow_errors',
      ...options,
      order: options.sort ?? 'error_id desc',
      conditions: equal('error_kind', options.kind),
      ...(!options.json && { expand: 'operations($orderby=operation_id desc;$top=1)' }),
    });
    return printPage(page, ERROR_COLUMNS, { ...options, none });
  });
}

const ERROR_COLUMNS: readonly TableColumn<ListedError>[] = [
  { title: 'ERROR ID', text: ({ error_id: id }) => String(id), paint: dim, expendable: true },
  { title: 'KIND', text: ({ error_kind: kind }) => kind },
  {
    title: 'ERROR',
    text: ({ error_details: details }) => details,
    paint: (text, { error_details: details }) => (details.startsWith('aborted:') ? dim(text) : colours.red(text)),
  },
  {
    title: 'LAST IN',
    text: ({ operations }) => operations?.[0]?.name ?? '',
    cut: keepKey,
    optional: true,
    expendable: true,
  },
  {
    title: 'OPERATION',
    text: ({ operations }) => String(operations?.[0]?.operation_id ?? ''),
    cut: keepEnd,
    paint: dim,
    optional: true,
    expendable: true,
  },
];

const EXCEPTION_COLUMNS: readonly TableColumn<ListedRow<'workflow_exceptions'>>[] = [
  { title: 'OPERATION', text: ({ operation_id: id }) => String(id ?? ''), cut: keepEnd },
  { title: 'EVENT ID', text: ({ event_id: id }) => String(id ?? ''), cut: keepEnd, paint: dim },
  { title: 'EXCEPTION', text: ({ exception }) => exception, paint: (text) => colours.red(text) },
];
