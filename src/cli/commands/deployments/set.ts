import type { Command } from 'commander';
import { tellDeployment } from '../../api/deployments.js';
import { withApi } from '../../api/with-api.js';
import { jsonOrText } from '../../arguments.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';
import { UsageError } from '../../usage-error.js';

interface SetOptions {
  readonly path?: string;
  readonly remove?: boolean;
  readonly requestId?: string;
  readonly json?: boolean;
}

/** `reeve deployments set shop file /tmp/other` W4 */
export function defineDeploymentsSet(deployments: Command): void {
  deployments
    .command('set')
    .description('set or remove an attribute of a component; references to it see the new value from then on')
    .argument('<deployment>', 'its name, like shop')
    .argument('<attribute>', 'the name of the attribute, like file')
    .argument('[value]', 'JSON, or else text')
    .option('--path <path>', 'the path of the component, like running/run (default: the root)')
    .option('--remove', 'remove the attribute')
    .option('--request-id <id>', 'the idempotency key: a repeated id has no further effect')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve deployments set shop file /tmp/other', 'an attribute of the root'],
        ['reeve deployments set shop time 60000 --path running/run', 'of a component in it'],
      ),
    )
    .action(run(set));
}

async function set(
  deployment: string,
  name: string,
  value: string | undefined,
  { path = '', remove, requestId, json }: SetOptions,
): Promise<number> {
  if ((value === undefined) !== (remove === true)) throw new UsageError('Give either a value or --remove.');
  return withApi('workflows', async (api) => {
    const attribute = { path, name, ...(value !== undefined && { value: jsonOrText(value) }) };
    const told = await tellDeployment(api, deployment, 'attributes', { json: attribute, requestId });
    if (json) printJson(told);
    else console.log(`${path === '' ? deployment : `${deployment}/${path}`}: ${name} is ${remove ? 'removed' : 'set'}`);
    return EXIT.done;
  });
}
