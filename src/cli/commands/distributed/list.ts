import { Option, type Command } from 'commander';
import { listDistributed, type ListedDistributedOperation } from '../../api/distributed.js';
import { withApi } from '../../api/with-api.js';
import { paintState } from '../../distributed-words.js';
import { distributedState } from '../../explanation/distributed-state.js';
import { examples } from '../../examples.js';
import { dim } from '../../list/columns.js';
import { wholeNumber } from '../../list/options.js';
import { printPage } from '../../list/print.js';
import { keepKey, type TableColumn } from '../../list/table.js';
import { formatTime, type Clock } from '../../list/time.js';
import { run } from '../../run.js';

interface DistributedListOptions {
  readonly target?: string;
  readonly top: number;
  readonly skipToken?: string;
  readonly utc?: boolean;
  readonly json?: boolean;
}

/** `reeve distributed` I3 */
export function defineDistributedList(distributed: Command): void {
  distributed
    .command('list', { isDefault: true })
    .description('list operations over partitions, including ended ones, from Temporal; the list may lag a little')
    .option('--target <target>', 'only operations on that target')
    .addOption(new Option('--top <rows>', 'the maximum number of rows').argParser(wholeNumber).default(50))
    .option('--skip-token <token>', 'show the next page; its token is printed with the page before it')
    .option('--utc', 'times in UTC')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve distributed', 'all of them'],
        ['reeve distributed list --target orders.sales/line_items', 'the operations on one target'],
      ),
    )
    .action(run(list));
}

async function list({ target, top, skipToken, utc, json }: DistributedListOptions): Promise<number> {
  const query = {
    rows: String(top),
    ...(target !== undefined && { target }),
    ...(skipToken !== undefined && { token: skipToken }),
  };
  const page = await withApi('workflows', (api) => listDistributed(api, query));
  const none = 'No operation over partitions was found.';
  return printPage(page, columns({ now: Date.now(), utc: utc === true }), { ...(json && { json }), none });
}

function columns(clock: Clock): readonly TableColumn<ListedDistributedOperation>[] {
  return [
    { title: 'OPERATION', text: ({ name }) => name, cut: keepKey },
    {
      title: 'STATE',
      text: ({ state, outcome }) => distributedState(state, outcome),
      paint: (text, { outcome }) => paintState(text, outcome),
    },
    { title: 'STARTED', text: ({ start_time: time }) => formatTime(time, clock), paint: dim },
  ];
}
