import type { Command } from 'commander';
import { tellDeployment } from '../../api/deployments.js';
import { withApi } from '../../api/with-api.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';

/** `reeve deployments ping shop` W-5 */
export function defineDeploymentsPing(deployments: Command): void {
  deployments
    .command('ping')
    .description('check the liveness of all components of a deployment; one that fails the check ends abnormally')
    .argument('<deployment>', 'its name, like shop')
    .option('--json', 'as JSON')
    .addHelpText('after', examples(['reeve deployments ping shop', 'now, before the next regular check']))
    .action(
      run((name: string, { json }: { readonly json?: boolean }) =>
        withApi('workflows', async (api) => {
          const told = await tellDeployment(api, name, 'ping');
          if (json) printJson(told);
          else console.log(`${name}: its components are asked`);
          return EXIT.done;
        }),
      ),
    );
}
