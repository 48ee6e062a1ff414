import type { Command } from 'commander';
import { entityId } from '../../protocol/names.js';
import { readList, type ListedRow } from '../api/list.js';
import { findOperation } from '../api/operation.js';
import { withApi } from '../api/with-api.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { dim } from '../list/columns.js';
import { CALLER, type WithCaller } from '../list/event-columns.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { printPage } from '../list/print.js';
import { keepKeyOfAny, keepWhole, type TableColumn } from '../list/table.js';
import { formatDuration, formatTime, type Clock } from '../list/time.js';
import { run } from '../run.js';

type ListedCall = ListedRow<'calls'> & WithCaller;

/** `reeve calls 883cc7632dd9` A2 */
export function defineCalls(program: Command): void {
  const command = program
    .command('calls')
    .description(
      `list the ended resource calls of an operation; 'reeve operations show ID --values' also shows those that still run`,
    )
    .argument('<operation>', 'its id, or its short id');
  withListOptions(command, { dimensions: false })
    .addHelpText(
      'after',
      examples(
        ['reeve calls 883cc7632dd9', 'its calls that have ended, with their durations'],
        [`reeve calls 883cc7632dd9 --where "mode eq 'callback'"`, 'only callbacks'],
      ),
    )
    .action(run(calls));
}

async function calls(operation: string, options: ListOptions): Promise<number> {
  const { page, request } = await withApi('store', async (api) => {
    const { operation_id: id, request_id: request } = await findOperation(api, operation);
    const listed = await readList<ListedCall>(api, '/api/calls', {
      view: 'calls',
      ...options,
      order: options.sort ?? 'start_time,event_id,transition_ordinal,call_place',
      conditions: [`operation_id eq ${id}`],
    });
    return { page: listed, request };
  });
  const clock = { now: Date.now(), utc: options.utc === true };
  const none = `No such call has ended. Calls under way: 'reeve operations show ${request} --values'.`;
  return printPage(page, columns(clock), { ...options, none });
}

function columns(clock: Clock): readonly TableColumn<ListedCall>[] {
  return [
    { title: 'AT', text: (row) => formatTime(row.start_time, clock), paint: dim },
    {
      title: 'ENTITY',
      text: ({ entity_type: type, entity_key: key }) => (type === null || key === null ? '' : entityId({ type, key })),
      cut: keepKeyOfAny,
    },
    { title: 'ACTION', text: (row) => row.action_name ?? '', cut: keepWhole },
    { title: 'CALL', text: (row) => row.call_name, cut: keepWhole },
    { title: 'MODE', text: (row) => row.mode, paint: dim },
    CALLER,
    {
      title: 'TOOK',
      text: (row) => (row.end_time === null ? '' : formatDuration(row.start_time, row.end_time, clock)),
      align: 'right',
    },
    { title: 'AGAIN', text: (row) => (row.restart_count > 0 ? String(row.restart_count) : ''), optional: true },
    {
      title: 'ERROR',
      text: (row) => (row.error_code === null ? '' : `${row.error_code}: ${row.error_message ?? ''}`),
      paint: (text) => colours.red(text),
      optional: true,
    },
  ];
}
