import type { Command } from 'commander';
import { logUpdateStderr } from 'log-update';
import type { Api } from '../../api/api.js';
import { followDistributed, type DistributedOperation } from '../../api/distributed.js';
import { withApi } from '../../api/with-api.js';
import { progressOf, titleOf } from '../../distributed-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';

interface FollowOptions {
  readonly json?: boolean;
  /** Whether to print as JSON only how it has ended. */
  readonly last?: boolean;
}

/** `reeve distributed follow orders.sales/line_items/buildIndex/3` */
export function defineDistributedFollow(distributed: Command): void {
  distributed
    .command('follow')
    .description('follow an operation until it has ended; the exit code tells whether it has succeeded')
    .argument('<operation>', 'its name, like orders.sales/line_items/buildIndex/3')
    .option('--json', 'each change as a JSON document on a line of its own')
    .addHelpText(
      'after',
      examples(
        ['reeve distributed follow orders.sales/line_items/buildIndex/3', 'Ctrl-C ends only the command'],
        ['reeve distributed follow orders.sales/line_items/buildIndex/3 --json | jq .done', 'from 0 to 1'],
      ),
    )
    .action(
      run((name: string, options: FollowOptions) => withApi('workflows', (api) => followToItsEnd(api, name, options))),
    );
}

/** Shows an operation while it runs: a live line on a terminal, a line for each change elsewhere. */
export async function followToItsEnd(
  api: Api,
  name: string,
  { json, last }: FollowOptions,
  live = process.stderr.isTTY,
): Promise<number> {
  let latest: DistributedOperation | undefined;
  for await (const now of followDistributed(api, name)) {
    const line = () => `${titleOf(now)}  ${progressOf(now, { now: Date.now(), utc: false })}`;
    if (json && !last) console.log(JSON.stringify(now));
    else if (!json && live) logUpdateStderr(line());
    else if (!json) console.error(line());
    latest = now;
  }
  if (live && !json) logUpdateStderr.done();
  if (!latest) throw new Error(`The operation '${name}' was followed and told nothing.`);
  if (json && last) printJson(latest);
  else if (!json) console.log(latest.reason === null ? titleOf(latest) : `${titleOf(latest)}: ${latest.reason}`);
  return latest.outcome === 'succeeded' ? EXIT.done : EXIT.failed;
}
