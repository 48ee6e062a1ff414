import type { Command } from 'commander';
import { logUpdateStderr } from 'log-update';
import { drawTree } from '../../../components/index.js';
import type { Api } from '../../api/api.js';
import { followDeployment, type DeploymentRepresentation } from '../../api/deployments.js';
import { withApi } from '../../api/with-api.js';
import { changesOf } from '../../component-changes.js';
import { titleOf } from '../../deployment-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';

/** `reeve deployments follow shop` W1 */
export function defineDeploymentsFollow(deployments: Command): void {
  deployments
    .command('follow')
    .description(
      'follow a deployment until it has ended, with a live tree; the exit code tells whether that was normal',
    )
    .argument('<deployment>', 'its name, like shop')
    .option('--json', 'each change as a JSON document on a line of its own')
    .addHelpText(
      'after',
      examples(
        ['reeve deployments follow shop && echo done', 'from any terminal; Ctrl-C ends only the command'],
        ['reeve deployments follow shop --json | jq .phase', 'the whole deployment each time'],
      ),
    )
    .action(
      run((name: string, options: FollowOptions) => withApi('workflows', (api) => followToItsEnd(api, name, options))),
    );
}

interface FollowOptions {
  readonly json?: boolean;
  /** Whether to print as JSON only how it has ended. */
  readonly last?: boolean;
}

/** Shows a deployment while it runs: a live tree on a terminal, a line for each change of a component elsewhere. */
export async function followToItsEnd(
  api: Api,
  name: string,
  { json, last }: FollowOptions,
  live = process.stderr.isTTY,
): Promise<number> {
  let before: DeploymentRepresentation | undefined;
  for await (const now of followDeployment(api, name)) {
    if (json && !last) console.log(JSON.stringify(now));
    else if (!json && live) logUpdateStderr(drawTree(now.tree, Date.now()));
    else if (!json) for (const line of changesOf(before?.tree, now.tree)) console.error(line);
    before = now;
  }
  if (live && !json) logUpdateStderr.done();
  if (!before) throw new Error(`The deployment '${name}' was followed and told nothing.`);
  if (json && last) printJson(before);
  else if (!json) console.log(titleOf(before));
  return before.phase === 'ended' && before.end?.type === 'normal' ? EXIT.done : EXIT.failed;
}
