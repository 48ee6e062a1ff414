import type { Command } from 'commander';
import type { Api } from '../../api/api.js';
import { followDistributed, type DistributedOperation } from '../../api/distributed.js';
import { withApi } from '../../api/with-api.js';
import { progressOf, titleOf } from '../../distributed-words.js';
import { examples } from '../../examples.js';
import { followToItsEnd, type FollowOptions } from '../../follow.js';
import { run } from '../../run.js';

/** `reeve distributed follow orders.sales/line_items/buildIndex/3` */
export function defineDistributedFollow(distributed: Command): void {
  distributed
    .command('follow')
    .description('follow an operation until it ends; exit code 1 unless it succeeds')
    .argument('<operation>', 'its name, like orders.sales/line_items/buildIndex/3')
    .option('--json', 'each change as one JSON document a line')
    .addHelpText(
      'after',
      examples(
        ['reeve distributed follow orders.sales/line_items/buildIndex/3', 'Ctrl-C ends only the command'],
        [
          'reeve distributed follow orders.sales/line_items/buildIndex/3 --json | jq .done',
          'the progress, from 0 to 1',
        ],
      ),
    )
    .action(
      run((name: string, options: FollowOptions) => withApi('workflows', (api) => followOperation(api, name, options))),
    );
}

/** Shows an operation while it runs: a live line on a terminal, a line for each change elsewhere. */
export function followOperation(
  api: Api,
  name: string,
  options: FollowOptions,
  wanted: DistributedOperation['outcome'] = 'succeeded',
): Promise<number> {
  const line = (now: DistributedOperation) => `${titleOf(now)}  ${progressOf(now, { now: Date.now(), utc: false })}`;
  return followToItsEnd(
    followDistributed(api, name),
    {
      name: `The operation '${name}'`,
      live: line,
      lines: (now) => [line(now)],
      ended: (last) => (last.reason === null ? titleOf(last) : `${titleOf(last)}: ${last.reason}`),
      hasSucceeded: ({ outcome }) => outcome === wanted,
    },
    options,
  );
}
