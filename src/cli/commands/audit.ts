import type { Command } from 'commander';
import { readList, type ListedRow } from '../api/list.js';
import { withApi } from '../api/with-api.js';
import { parseTarget } from '../arguments.js';
import { colours } from '../colours.js';
import { ALL_TENANTS } from '../../protocol/actor.js';
import { AUDITED_READS } from '../../protocol/audited-reads.js';
import { entityId } from '../../protocol/names.js';
import { examples } from '../examples.js';
import { actionWords } from '../explanation/audit-words.js';
import { meantBy } from '../key-by-parts.js';
import { dim } from '../list/columns.js';
import { equal, sinceCondition } from '../list/condition.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { printPage } from '../list/print.js';
import { keepEnd, keepKey, keepWhole, type TableColumn } from '../list/table.js';
import { formatTime, type Clock } from '../list/time.js';
import { run } from '../run.js';

interface AuditOptions extends ListOptions {
  readonly subject?: string;
  readonly entity?: string;
  readonly denied?: boolean;
  readonly changes?: boolean;
  readonly since?: string;
}

/** `reeve audit` S6.5 */
export function defineAudit(program: Command): void {
  const command = program
    .command('audit')
    .description('list the audit trail: allowed and denied requests, the latest first')
    .option('--subject <subject>', `only requests by this caller; commands without REEVE_API appear as USER@HOST`)
    .option('--entity <entity>', 'only requests for that entity, like LogicalServer/orders')
    .option('--denied', 'only denied requests')
    .option('--changes', 'without reads: only requests that change something')
    .option('--since <time>', 'only those since then: 30m, 2h, 7d, or a time');
  withListOptions(command, { dimensions: false })
    .addHelpText(
      'after',
      examples(
        ['reeve audit --denied --since 1d', 'denied requests of the last day'],
        ['reeve audit --changes --since 1h', 'the changes of the last hour, each with its user'],
        ['reeve audit --entity LogicalServer/orders', 'all requests for one entity'],
        [`reeve audit --where "startswith(action,'raise')"`, 'filtered by any column'],
      ),
    )
    .action(run(audit));
}

async function audit(options: AuditOptions): Promise<number> {
  const now = Date.now();
  const written = options.entity === undefined ? undefined : parseTarget(options.entity);
  const page = await withApi('store', async (api) => {
    const entity = written && (await meantBy(api, written));
    return readList<ListedRow<'audit_trail'>>(api, '/api/audit', {
      view: 'audit_trail',
      ...options,
      order: options.sort ?? 'time desc',
      conditions: [
        ...equal('subject', options.subject),
        ...equal('decision', options.denied ? 'denied' : undefined),
        ...(options.changes ? [`not ${AUDITED_READS}`] : []),
        ...equal('entity_type', entity?.type),
        ...equal('entity_key', entity?.key),
        ...sinceCondition('time', options.since, now),
      ],
    });
  });
  const none = 'The audit trail has no such entries.';
  return printPage(page, columns({ now, utc: options.utc === true }), { ...options, none });
}

function columns(clock: Clock): readonly TableColumn<ListedRow<'audit_trail'>>[] {
  return [
    { title: 'AT', text: ({ time }) => formatTime(time, clock), paint: dim },
    { title: 'WHO', text: ({ subject }) => subject },
    {
      title: 'TENANT',
      text: ({ tenant }) => (tenant === ALL_TENANTS ? '' : (tenant ?? '')),
      paint: dim,
      optional: true,
    },
    {
      title: 'DECISION',
      text: ({ decision }) => decision,
      paint: (text) => (text === 'denied' ? colours.red(text) : colours.green(text)),
    },
    { title: 'WHAT', text: ({ action }) => actionWords(action), cut: keepWhole },
    {
      title: 'ENTITY',
      text: ({ entity_type: type, entity_key: key }) => (type === null || key === null ? '' : entityId({ type, key })),
      cut: keepKey,
      optional: true,
    },
    { title: 'WHY', text: ({ reason }) => reason ?? '', optional: true },
    { title: 'FROM', text: (row) => row.remote_address ?? '', paint: dim, optional: true, expendable: true },
    {
      title: 'OPERATION',
      text: ({ operation }) => operation ?? '',
      cut: keepEnd,
      paint: dim,
      optional: true,
      expendable: true,
    },
  ];
}
