import type { Command } from 'commander';
import { parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { eventColumns } from '../list/event-columns.js';
import { dimensionConditions, equal } from '../list/condition.js';
import { readErrorDetails } from '../list/error-details.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { readPage } from '../list/page.js';
import { printPage } from '../list/print.js';
import { findOperation } from '../operation-id.js';
import { run } from '../run.js';
import { withStore } from '../store-session.js';

interface EventsOptions extends ListOptions {
  readonly entity?: string;
}

/** `reeve events 1807381927000123` S5.1 */
export function defineEvents(program: Command): void {
  const command = program
    .command('events')
    .description('list events: of an operation in their order, or of an entity, the latest first')
    .argument('[operation]', 'its operation id or request id; all without it')
    .option('--entity <entity>', 'of that entity only, like LogicalServer/orders');
  withListOptions(command)
    .addHelpText(
      'after',
      examples(
        ['reeve events 1807381927000123', 'what happened in an operation'],
        ['reeve events --entity LogicalServer/orders', 'what happened to an entity'],
        [`reeve events --where "error_reported or exception"`, 'what went wrong lately'],
      ),
    )
    .action(run(events));
}

async function events(operation: string | undefined, options: EventsOptions): Promise<number> {
  const entity = options.entity === undefined ? undefined : parseTarget(options.entity);
  const { page, errors } = await withStore(async (store) => {
    const row = operation === undefined ? undefined : await findOperation(store, operation);
    const found = await readPage(store, 'state_machine_events', {
      ...options,
      order: options.orderBy ?? (row ? 'event_id' : 'event_id desc'),
      conditions: [
        ...equal('request_id', row?.request_id),
        ...equal('state_machine_type', entity?.type),
        ...equal('keys', entity?.key),
        ...dimensionConditions(options.dimension, store.dimensions),
      ],
    });
    const ids = options.json ? [] : found.rows.map(({ error }) => error);
    return { page: found, errors: await readErrorDetails(store, ids) };
  });
  const clock = { now: Date.now(), utc: options.utc === true };
  return printPage(page, eventColumns(clock, errors), { ...options, none: 'There are no such events.' });
}
