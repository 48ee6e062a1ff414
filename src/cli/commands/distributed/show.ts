import type { Command } from 'commander';
import { readDistributed } from '../../api/distributed.js';
import { withApi } from '../../api/with-api.js';
import { distributedLines } from '../../distributed-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';

interface ShowOptions {
  readonly utc?: boolean;
  readonly json?: boolean;
}

/** `reeve distributed show orders.sales/line_items/buildIndex/3` */
export function defineDistributedShow(distributed: Command): void {
  distributed
    .command('show')
    .description('show the progress of an operation, where its jobs run, and which are retried')
    .argument('<operation>', 'its name, like orders.sales/line_items/buildIndex/3')
    .option('--utc', 'times in UTC')
    .option('--json', 'all of it, as JSON')
    .addHelpText(
      'after',
      examples(['reeve distributed show orders.sales/line_items/buildIndex/3', 'its current status']),
    )
    .action(run(show));
}

async function show(name: string, { utc, json }: ShowOptions): Promise<number> {
  return withApi('workflows', async (api) => {
    const read = await readDistributed(api, name);
    const clock = { now: Date.now(), utc: utc === true };
    if (json) printJson(read);
    else console.log(distributedLines(read, clock).join('\n'));
    return EXIT.done;
  });
}
