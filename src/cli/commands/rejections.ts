import type { Command } from 'commander';
import { entityId } from '../../protocol/names.js';
import { readList, type ListedRow } from '../api/list.js';
import { withApi } from '../api/with-api.js';
import { shellWord } from '../../definition/shell-word.js';
import { parseTarget } from '../arguments.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { dim } from '../list/columns.js';
import { equal, sinceCondition } from '../list/condition.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { printPage } from '../list/print.js';
import { keepCaller, keepKey, keepWhole, type TableColumn } from '../list/table.js';
import { formatTime, type Clock } from '../list/time.js';
import { run } from '../run.js';

interface RejectionsOptions extends ListOptions {
  readonly entity?: string;
  readonly code?: string;
  readonly since?: string;
}

/** `reeve rejections` S2.2 */
export function defineRejections(program: Command): void {
  const command = program
    .command('rejections')
    .description('list events that were rejected at once, the latest first')
    .option('--entity <entity>', 'only those on that entity, like LogicalServer/orders')
    .option('--code <code>', 'only those with that code, like not_valid')
    .option('--since <time>', 'only those since then: 30m, 2h, 7d, or a time');
  withListOptions(command, { dimensions: false })
    .addHelpText(
      'after',
      examples(
        ['reeve rejections --since 1d', 'rejections of the last day'],
        ['reeve rejections --entity LogicalServer/orders', 'rejections of one entity'],
        [`reeve rejections --where "subject eq 'ci'"`, 'filtered by any column'],
      ),
    )
    .action(run(rejections));
}

async function rejections(options: RejectionsOptions): Promise<number> {
  const now = Date.now();
  const entity = options.entity === undefined ? undefined : parseTarget(options.entity);
  const { page, isLater } = await withApi('store', async (api) => {
    const page = await readList<ListedRow<'rejected_events'>>(api, '/api/rejections', {
      view: 'rejected_events',
      ...options,
      order: options.sort ?? 'time desc',
      conditions: [
        ...equal('code', options.code),
        ...equal('entity_type', entity?.type),
        ...equal('entity_key', entity?.key),
        ...sinceCondition('time', options.since, now),
      ],
    });
    // Conditions on the columns of this list alone cannot be asked of the other one.
    if (options.json || options.where !== undefined || options.code !== undefined) return { page, isLater: false };
    const later = await readList(api, '/api/events', {
      ...{ view: 'state_machine_events', order: 'event_id desc', top: 1 },
      conditions: [
        REJECTED_LATER,
        ...equal('state_machine_type', entity?.type),
        ...equal('keys', entity?.key),
        ...sinceCondition('start_time', options.since, now),
      ],
    });
    return { page, isLater: later.rows.length > 0 };
  });
  const none = isLater ? 'Nothing was rejected at once.' : 'Nothing was rejected.';
  const exitCode = printPage(page, columns({ now, utc: options.utc === true }), { ...options, none });
  if (isLater) {
    const of = options.entity === undefined ? '' : ` --entity ${shellWord(options.entity)}`;
    console.error(
      `Events of operations were rejected too, such as requests to cancel: reeve events${of} --where "${REJECTED_LATER}"`,
    );
  }
  return exitCode;
}

/** Events with a row in history that were rejected, as an OData condition. */
const REJECTED_LATER = "workflow_error/error_kind eq 'rejected'";

function columns(clock: Clock): readonly TableColumn<ListedRow<'rejected_events'>>[] {
  return [
    { title: 'AT', text: ({ time }) => formatTime(time, clock), paint: dim },
    { title: 'EVENT', text: ({ event }) => event, cut: keepWhole },
    { title: 'ENTITY', text: ({ entity_type: type, entity_key: key }) => entityId({ type, key }), cut: keepKey },
    { title: 'STATE', text: ({ state }) => state ?? '', paint: dim },
    { title: 'CODE', text: ({ code }) => code, cut: keepWhole, paint: (text) => colours.red(text) },
    { title: 'TIMES', text: ({ times }) => String(times), align: 'right' },
    { title: 'WHO', text: ({ subject }) => subject ?? '', cut: keepCaller },
    { title: 'TENANT', text: ({ tenant }) => tenant ?? '', paint: dim, optional: true },
    { title: 'WHY', text: ({ message }) => message, optional: true, below: true },
    { title: 'REQUEST', text: (row) => row.request_id ?? '', paint: dim, optional: true, expendable: true },
  ];
}
