import type { Command } from 'commander';
import { entityId } from '../../protocol/names.js';
import { readList, type ListedRow } from '../api/list.js';
import { withApi } from '../api/with-api.js';
import { parseTarget } from '../arguments.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { dim } from '../list/columns.js';
import { equal, sinceCondition } from '../list/condition.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { printPage } from '../list/print.js';
import { keepKey, type TableColumn } from '../list/table.js';
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
    .description('list rejected events, the latest first')
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
  const page = await withApi('store', (api) =>
    readList<ListedRow<'rejected_events'>>(api, '/api/rejections', {
      view: 'rejected_events',
      ...options,
      order: options.sort ?? 'time desc',
      conditions: [
        ...equal('code', options.code),
        ...equal('entity_type', entity?.type),
        ...equal('entity_key', entity?.key),
        ...sinceCondition('time', options.since, now),
      ],
    }),
  );
  return printPage(page, columns({ now, utc: options.utc === true }), { ...options, none: 'Nothing was rejected.' });
}

function columns(clock: Clock): readonly TableColumn<ListedRow<'rejected_events'>>[] {
  return [
    { title: 'AT', text: ({ time }) => formatTime(time, clock), paint: dim },
    { title: 'EVENT', text: ({ event }) => event },
    { title: 'ENTITY', text: ({ entity_type: type, entity_key: key }) => entityId({ type, key }), cut: keepKey },
    { title: 'STATE', text: ({ state }) => state ?? '', paint: dim },
    { title: 'CODE', text: ({ code }) => code, paint: (text) => colours.red(text) },
    { title: 'TIMES', text: ({ times }) => String(times), align: 'right' },
    { title: 'WHO', text: ({ subject }) => subject ?? '' },
    { title: 'TENANT', text: ({ tenant }) => tenant ?? '', paint: dim, optional: true },
    { title: 'WHY', text: ({ message }) => message, optional: true },
    { title: 'REQUEST', text: (row) => row.request_id ?? '', paint: dim, optional: true, expendable: true },
  ];
}
