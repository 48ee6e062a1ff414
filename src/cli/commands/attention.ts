import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import type { Attention, Concern } from '../../service/attention/attention-schema.js';
import { withApi } from '../api/with-api.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { fold, printText } from '../fold.js';
import { tableWidth } from '../format.js';
import { printJson } from '../json.js';
import { dim } from '../list/columns.js';
import { byCause, needsOf, whyOf, type Need } from '../list/needs.js';
import { formatTable, oneLine, type TableColumn } from '../list/table.js';
import { formatTime, type Clock } from '../list/time.js';
import { run } from '../run.js';

interface AttentionOptions {
  readonly utc?: boolean;
  readonly json?: boolean;
}

/** `reeve attention` S5.3, S5.4 */
export function defineAttention(program: Command): void {
  program
    .command('attention')
    .description(
      'list what needs a person and how to fix it, by cause: approvals, error states, actions that cannot continue, operations over their time budget, and work that no worker takes',
    )
    .option('--utc', 'times in UTC')
    .option('--json', 'all of it, as JSON')
    .addHelpText('after', examples(['reeve attention', 'the oldest first']))
    .action(run(attention));
}

async function attention({ utc, json }: AttentionOptions): Promise<number> {
  const { told } = await withApi('either', (api) => needsOf(api));
  if (json) printJson(told);
  else printText(attentionLines(told, { now: Date.now(), utc: utc === true }).join('\n'));
  return EXIT.done;
}

/** Says in words what needs a person: each cause with what fixes it, and below it the oldest first. */
export function attentionLines({ items, partial }: Attention, clock: Clock, width = tableWidth()): readonly string[] {
  const silent = partial.map((who) => {
    const name = who === 'store' ? 'The store' : 'Temporal';
    return colours.yellow(`${name} could not be queried, so something may be missing.`);
  });
  const needs = byCause(items).flatMap((need) => needLines(need, clock, width));
  if (needs.length > 0) return [...silent, ...needs.slice(0, -1)];
  return [...silent, ...(partial.length === 0 ? ['Nothing needs you.'] : [])];
}

function needLines({ cause, concerns }: Need, clock: Clock, width: number | undefined): readonly string[] {
  const [{ what_to_do: remedy, command }] = concerns;
  return [
    colours.red(oneLine(concerns.length > 1 ? `${concerns.length} × ${cause}` : cause)),
    ...concernRows(concerns, clock, width),
    colours.dim(`  ${oneLine(remedy)}`),
    `  ${command}`,
    '',
  ];
}

/** One line for each, without titles. Where that is too narrow, reasons are wrapped, and operations are left out. */
function concernRows(concerns: readonly Concern[], clock: Clock, width = Infinity): readonly string[] {
  const columns: readonly TableColumn<Concern>[] = [
    { title: '', text: ({ since }) => formatTime(since, clock), paint: dim },
    { title: '', text: ({ name }) => name },
    { title: '', text: whyOf },
    { title: '', text: ({ operation }) => operation ?? '', paint: dim, optional: true },
  ];
  const rowsOf = (shown: typeof columns, some = concerns) =>
    formatTable(shown, some)
      .split('\n')
      .slice(1)
      .map((line) => INDENT + line);
  const whole = rowsOf(columns);
  if (whole.every((line) => stripVTControlCharacters(line).length <= width)) return whole;
  return concerns
    .flatMap((each) => rowsOf(columns.slice(0, 3), [each]))
    .flatMap((line) => fold(line, width).split('\n'));
}

const INDENT = '  ';
