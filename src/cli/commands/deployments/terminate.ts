import type { Command } from 'commander';
import { tellDeployment } from '../../api/deployments.js';
import { withApi } from '../../api/with-api.js';
import { phaseWords } from '../../deployment-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';
import { followDeploymentToItsEnd } from './follow.js';

interface TerminateOptions {
  readonly type?: string;
  readonly description?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `reeve deployments terminate shop running/run --type abnormal` W-1 */
export function defineDeploymentsTerminate(deployments: Command): void {
  deployments
    .command('terminate')
    .description('end a deployment, or a component in it; its clean-up runs first')
    .argument('<deployment>', 'its name, like shop')
    .argument('[path]', 'the path of a component, like running/run (default: the whole deployment)')
    .option('--type <type>', 'the end type: normal, abnormal, or any other word')
    .option('--description <text>', 'why')
    .option('--wait', 'follow the deployment until it has ended')
    .option('--json', 'as JSON; with --wait, its result')
    .addHelpText(
      'after',
      examples(
        ['reeve deployments terminate shop', 'the whole deployment'],
        ['reeve deployments terminate shop running/run --type abnormal --description "it hangs"', 'one component'],
      ),
    )
    .action(run(terminate));
}

async function terminate(name: string, path: string | undefined, options: TerminateOptions): Promise<number> {
  const { type, description, wait, json } = options;
  return withApi('workflows', async (api) => {
    const asked = {
      ...(path !== undefined && { path }),
      ...(type !== undefined && { type }),
      ...(description !== undefined && { description }),
    };
    const told = await tellDeployment(api, name, 'terminate', { json: asked });
    if (wait) {
      await followDeploymentToItsEnd(api, name, { ...(json && { json }), last: true });
      return EXIT.done;
    }
    const what = path === undefined ? name : `${name}/${path}`;
    if (json) printJson(told);
    else
      console.log(
        told.end ? `${what} has ended already: ${phaseWords('ended', told.end)}` : `${what} is being terminated`,
      );
    return EXIT.done;
  });
}
