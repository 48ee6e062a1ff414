import type { Command } from 'commander';
import { entityId } from '../../protocol/names.js';
import { eachOf } from '../../service/each-of.js';
import type { EventValuesAnswer } from '../../service/values/value-schema.js';
import type { Api } from '../api/api.js';
import { readList, type ListedRow } from '../api/list.js';
import { findOperation } from '../api/operation.js';
import { Problem } from '../api/problem.js';
import { withApi } from '../api/with-api.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { dim } from '../list/columns.js';
import { CALLER, type WithCaller } from '../list/event-columns.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { printPage } from '../list/print.js';
import { keepKeyOfAny, keepMember, keepWhole, type TableColumn } from '../list/table.js';
import { formatDuration, formatTime, type Clock } from '../list/time.js';
import { run } from '../run.js';

type ListedCall = ListedRow<'calls'> & WithCaller & { readonly worker?: string | undefined };

/** The worker of a call is in Temporal's history alone, which is read once for each event: for so many at most, and so many at once. */
const [MOST_EVENTS, AT_ONCE] = [20, 4];

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
    return { page: options.json ? listed : { ...listed, rows: await withWorkers(api, listed.rows) }, request };
  });
  const clock = { now: Date.now(), utc: options.utc === true };
  const none = `No such call has ended. Calls under way: 'reeve operations show ${request} --values'.`;
  return printPage(page, callColumns(clock), { ...options, none });
}

/** Adds the worker that has made each call, where the history of its event still shows it. */
async function withWorkers(api: Api, rows: readonly ListedCall[]): Promise<readonly ListedCall[]> {
  const events = [...new Set(rows.flatMap(({ event_id: id }) => id ?? []))].slice(0, MOST_EVENTS);
  const read = await eachOf(events, AT_ONCE, async (id) => {
    const answer = await api.ask('GET', `/api/events/${id}/values`).catch((thrown: unknown) => {
      // The history may be gone, or not for the caller.
      if (thrown instanceof Problem) return undefined;
      throw thrown;
    });
    return [id, (answer?.body as EventValuesAnswer | undefined)?.calls ?? []] as const;
  });
  const made = new Map(read);
  return rows.map((row) => ({ ...row, worker: workerOf(row, made.get(row.event_id ?? -1) ?? []) }));
}

/** The worker of the call in the history that is nearest in time. An action that is tried again makes the same calls. */
export function workerOf(
  {
    call_name: call,
    action_name: action,
    start_time: start,
  }: Pick<ListedCall, 'call_name' | 'action_name' | 'start_time'>,
  calls: readonly Pick<EventValuesAnswer['calls'][number], 'call' | 'action' | 'start_time' | 'worker'>[],
): string | undefined {
  const away = (time: string) => Math.abs(Date.parse(time) - Date.parse(start));
  const same = calls.filter((each) => each.call === call && each.action === action);
  return same.toSorted((one, other) => away(one.start_time) - away(other.start_time))[0]?.worker;
}

/** Ended calls for people. */
export function callColumns(clock: Clock): readonly TableColumn<ListedCall>[] {
  return [
    { title: 'AT', text: (row) => formatTime(row.start_time, clock), paint: dim },
    {
      title: 'ENTITY',
      text: ({ entity_type: type, entity_key: key }) => (type === null || key === null ? '' : entityId({ type, key })),
      cut: keepKeyOfAny,
    },
    { title: 'ACTION', text: (row) => row.action_name ?? '', cut: keepWhole },
    { title: 'CALL', text: (row) => row.call_name, cut: keepMember },
    { title: 'MODE', text: (row) => row.mode, paint: dim, expendable: true },
    CALLER,
    { title: 'WORKER', text: ({ worker = '' }) => worker, paint: dim, optional: true },
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
      below: true,
    },
  ];
}
