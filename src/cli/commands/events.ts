import type { Command } from 'commander';
import { findOperation } from '../api/operation.js';
import { readList } from '../api/list.js';
import { withApi } from '../api/with-api.js';
import { parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { meantBy } from '../key-by-parts.js';
import { eventColumns, type ListedEvent } from '../list/event-columns.js';
import { dimensionConditions, equal } from '../list/condition.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { printPage } from '../list/print.js';
import { namesForPeople } from '../names-for-people.js';
import { run } from '../run.js';

interface EventsOptions extends ListOptions {
  readonly entity?: string;
}

/** `reeve events 883cc7632dd9` S5.1 */
export function defineEvents(program: Command): void {
  const command = program
    .command('events')
    .description('list the events of an operation, oldest first, or of an entity, latest first')
    .argument('[operation]', 'its id, or its short id (default: all)')
    .option('--entity <entity>', 'only events of that entity, like LogicalServer/orders');
  withListOptions(command)
    .addHelpText(
      'after',
      examples(
        ['reeve events 883cc7632dd9', 'the events of an operation'],
        ['reeve events --entity LogicalServer/orders', 'the events of an entity'],
        [`reeve events --where "error_reported or exception"`, 'recent errors'],
      ),
    )
    .action(run(events));
}

async function events(operation: string | undefined, options: EventsOptions): Promise<number> {
  const written = options.entity === undefined ? undefined : parseTarget(options.entity);
  const { page, names } = await withApi('store', async (api) => {
    const entity = written && (await meantBy(api, written));
    const row = operation === undefined ? undefined : await findOperation(api, operation);
    const page = await readList<ListedEvent>(api, '/api/events', {
      view: 'state_machine_events',
      ...options,
      order: options.sort ?? (row ? 'event_id' : 'event_id desc'),
      conditions: [
        ...equal('request_id', row?.request_id),
        ...equal('state_machine_type', entity?.type),
        ...equal('keys', entity?.key),
        ...dimensionConditions(options.dimension, api.dimensions),
      ],
      ...(!options.json && { expand: 'workflow_error' }),
    });
    return { page, names: await namesForPeople(api) };
  });
  const clock = { now: Date.now(), utc: options.utc === true };
  return printPage(page, eventColumns(clock, names), { ...options, none: 'There are no such events.' });
}
