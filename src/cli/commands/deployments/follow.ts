import type { Command } from 'commander';
import { drawTree } from '../../../components/index.js';
import type { Api } from '../../api/api.js';
import { followDeployment } from '../../api/deployments.js';
import { withApi } from '../../api/with-api.js';
import { changesOf } from '../../component-changes.js';
import { titleOf } from '../../deployment-words.js';
import { examples } from '../../examples.js';
import { followToItsEnd, type FollowOptions } from '../../follow.js';
import { run } from '../../run.js';

/** `reeve deployments follow shop` W1 */
export function defineDeploymentsFollow(deployments: Command): void {
  deployments
    .command('follow')
    .description('follow a deployment until it ends, as a live tree; exit code 1 unless it ends normally')
    .argument('<deployment>', 'its name, like shop')
    .option('--json', 'each change as one JSON document a line')
    .addHelpText(
      'after',
      examples(
        ['reeve deployments follow shop && echo done', 'Ctrl-C ends only the command'],
        [
          'reeve deployments follow shop --json | jq .phase',
          'its phase after each change; each document has the whole deployment',
        ],
      ),
    )
    .action(
      run((name: string, options: FollowOptions) =>
        withApi('workflows', (api) => followDeploymentToItsEnd(api, name, options)),
      ),
    );
}

/** Shows a deployment while it runs: a live tree on a terminal, a line for each change of a component elsewhere. */
export function followDeploymentToItsEnd(api: Api, name: string, options: FollowOptions): Promise<number> {
  return followToItsEnd(
    followDeployment(api, name),
    {
      name: `The deployment '${name}'`,
      live: ({ tree }) => drawTree(tree, Date.now()),
      lines: (now, before) => changesOf(before?.tree, now.tree),
      ended: titleOf,
      hasSucceeded: ({ phase, end }) => phase === 'ended' && end?.type === 'normal',
    },
    options,
  );
}
