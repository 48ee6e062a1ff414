import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { entityId } from '../../../protocol/names.js';
import type { ChangedWait } from '../../../protocol/change.js';
import { readChanges, type Change } from '../../api/changes.js';
import { withApi } from '../../api/with-api.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson, printJsonLine } from '../../json.js';
import { dim, paintOutcome } from '../../list/columns.js';
import { wholeNumber } from '../../list/options.js';
import { printTable } from '../../list/table-printing.js';
import { keepEnd, keepKey, type TableColumn } from '../../list/table.js';
import { formatTime } from '../../list/time.js';
import { run } from '../../run.js';

interface ListOptions {
  readonly after?: string;
  readonly types?: string;
  readonly kinds?: string;
  readonly limit: number;
  readonly follow?: boolean;
  readonly utc?: boolean;
  readonly json?: boolean;
}

const PAUSE_MS = 500;

/** `reeve changes list --follow` A6 */
export function defineChangesList(changes: Command): void {
  changes
    .command('list')
    .description('list the changes in the order of the feed')
    .option('--after <position>', `only changes after this position, or 'now' (default: the beginning)`)
    .option('--types <types>', 'only entities of these types, separated by commas')
    .option('--kinds <kinds>', `only changes of these kinds: 'transition', 'waits'`)
    .option('--limit <number>', 'the maximum number of changes', wholeNumber, 100)
    .option('--follow', 'follow the feed until you stop the command')
    .option('--utc', 'times in UTC')
    .option('--json', 'as JSON; with --follow, one change a line')
    .addHelpText(
      'after',
      examples(
        ['reeve changes list --after now --follow', 'a line for each new transition and wait'],
        ['reeve changes list --types Alias,DnsRecord', 'the oldest changes of these types'],
      ),
    )
    .action(run(list));
}

async function list({ follow, json, utc = false, ...asked }: ListOptions): Promise<number> {
  return withApi('store', async (api) => {
    let page = await readChanges(api, asked);
    if (!follow) {
      if (json) printJson({ items: page.items, position: page.position });
      else if (page.items.length === 0) console.log('Nothing has happened.');
      else printTable(columns({ now: Date.now(), utc }), page.items);
      return EXIT.done;
    }
    for (;;) {
      for (const change of page.items) {
        if (json) printJsonLine(change);
        else console.log(line(change, utc));
      }
      if (!page.more) await delay(PAUSE_MS);
      page = await readChanges(api, { ...asked, after: page.position });
    }
  });
}

const nameOf = ({ entity_type: type, entity_key: key }: Change) => entityId({ type, key });
const timeOf = (change: Change) =>
  change.kind === 'transition' ? (change.transition_time ?? change.time) : change.time;
const outcomeOf = (change: Change) => (change.kind === 'transition' ? (change.outcome ?? '') : '');

function whatOf(change: Change): string {
  if (change.kind === 'waits') return 'waits for';
  return change.action_name ?? change.event ?? '';
}

/** The states of a transition, or what is waited for. */
function detailsOf(change: Change): string {
  if (change.kind === 'waits') return change.waits.map(inWords).join(', ') || 'nothing';
  const { start_state: from, end_state: to } = change;
  return from === to ? `${to}` : `${from} → ${to}`;
}

function inWords({ kind, on, event }: ChangedWait): string {
  if (kind === 'event') return `${event} on ${on}`;
  return `${kind === 'answer' ? 'the answer to' : kind} ${on}`;
}

function columns(clock: { readonly now: number; readonly utc: boolean }): readonly TableColumn<Change>[] {
  return [
    { title: 'AT', text: (change) => formatTime(timeOf(change), clock), paint: dim },
    { title: 'ENTITY', text: nameOf, cut: keepKey },
    { title: '#', text: ({ version }) => String(version), align: 'right' },
    { title: 'ACTION', text: whatOf },
    { title: 'STATES', text: detailsOf, cut: keepEnd },
    { title: 'OUTCOME', text: outcomeOf, paint: paintOutcome },
    { title: 'POSITION', text: ({ position }) => position, paint: dim, expendable: true },
  ];
}

function line(change: Change, utc: boolean): string {
  const at = formatTime(timeOf(change), { now: Date.now(), utc });
  const did = `${String(change.version)} ${whatOf(change)}`;
  return [dim(at), nameOf(change), did, detailsOf(change), paintOutcome(outcomeOf(change))].join('  ');
}
