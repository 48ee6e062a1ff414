import type { Command } from 'commander';
import type { Attention, Concern } from '../../service/attention/attention-schema.js';
import { parseEntityId } from '../../protocol/names.js';
import { withApi } from '../api/with-api.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJson } from '../json.js';
import { dim } from '../list/columns.js';
import { formatTable, oneLine, type TableColumn } from '../list/table.js';
import { formatTime, type Clock } from '../list/time.js';
import { namesForPeople, type NamesForPeople } from '../names-for-people.js';
import { run } from '../run.js';

interface AttentionOptions {
  readonly utc?: boolean;
  readonly json?: boolean;
}

/** `reeve attention` S5.3, S5.4 */
export function defineAttention(program: Command): void {
  program
    .command('attention')
    .description('list what needs attention: stuck and hung entities and operations, failing tasks, and what to do')
    .option('--utc', 'times in UTC')
    .option('--json', 'all of it, as JSON')
    .addHelpText('after', examples(['reeve attention', 'the oldest first']))
    .action(run(attention));
}

async function attention({ utc, json }: AttentionOptions): Promise<number> {
  const { told, names } = await withApi('either', async (api) => ({
    told: (await api.ask('GET', '/api/attention')).body as Attention,
    names: await namesForPeople(api),
  }));
  if (json) printJson(told);
  else console.log(attentionLines(inNames(told, names), { now: Date.now(), utc: utc === true }).join('\n'));
  return EXIT.done;
}

function inNames(told: Attention, names: NamesForPeople): Attention {
  const items = told.items.map((concern) => {
    const { name, state } = concern;
    return { ...concern, state: state && names.state(parseEntityId(name)?.type ?? '', state) };
  });
  return { ...told, items };
}

/** Says in words what needs a person. */
export function attentionLines({ items, workers, partial }: Attention, clock: Clock): readonly string[] {
  const silent = partial.map((who) => {
    const name = who === 'store' ? 'The store' : 'Temporal';
    return colours.yellow(`${name} could not be asked, so something may be missing.`);
  });
  const none = workers?.alive === 0 ? [colours.red(`No worker serves '${oneLine(workers.task_queue)}'.`)] : [];
  const concerns =
    items.length === 0
      ? ['Nothing needs you.']
      : [
          formatTable(columns(clock), items, process.stdout.columns),
          ...[...new Set(items.map(({ what_to_do: remedy }) => remedy))].map((remedy) => colours.dim(oneLine(remedy))),
        ];
  return [...silent, ...none, ...concerns];
}

function columns(clock: Clock): readonly TableColumn<Concern>[] {
  return [
    { title: 'SINCE', text: ({ since }) => formatTime(since, clock), paint: dim },
    { title: 'WHAT', text: ({ name }) => name },
    { title: 'STATE', text: ({ state }) => state ?? '', optional: true },
    { title: 'WHY', text: ({ reason }) => reason, paint: (text) => colours.red(text) },
    {
      title: 'MESSAGE',
      text: ({ message, error }) => (error ? `${message} ${error.code}: ${error.message}` : message),
    },
    { title: 'OPERATION', text: ({ operation }) => operation ?? '', paint: dim, optional: true, expendable: true },
  ];
}
