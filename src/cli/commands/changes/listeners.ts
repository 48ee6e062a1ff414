import type { Command } from 'commander';
import { readListeners, type Listener } from '../../api/changes.js';
import { withApi } from '../../api/with-api.js';
import { examples } from '../../examples.js';
import { formatMilliseconds } from '../../explanation/time-words.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { dim } from '../../list/columns.js';
import { printTable } from '../../list/table-printing.js';
import type { TableColumn } from '../../list/table.js';
import { formatTime } from '../../list/time.js';
import { run } from '../../run.js';

/** `reeve changes listeners` L4 */
export function defineChangesListeners(changes: Command): void {
  changes
    .command('listeners')
    .description('list the listeners of the feed, and their lag')
    .option('--utc', 'times in UTC')
    .option('--json', 'as JSON')
    .addHelpText('after', examples(['reeve changes listeners', 'with their lag']))
    .action(run(listeners));
}

async function listeners({ json, utc = false }: { readonly json?: boolean; readonly utc?: boolean }): Promise<number> {
  return withApi('store', async (api) => {
    const items = await readListeners(api);
    if (json) printJson({ items });
    else if (items.length === 0) console.log('No listener has read the feed in the last month.');
    else printTable(columns({ now: Date.now(), utc }), items);
    return EXIT.done;
  });
}

function columns(clock: { readonly now: number; readonly utc: boolean }): readonly TableColumn<Listener>[] {
  return [
    { title: 'LISTENER', text: ({ name }) => name },
    { title: 'BEHIND', text: ({ behind }) => String(behind), align: 'right' },
    { title: 'LAG', text: ({ lag_ms: ms }) => formatMilliseconds(ms), align: 'right' },
    { title: 'LAST SEEN', text: ({ seen_time: time }) => formatTime(time, clock), paint: dim },
  ];
}
