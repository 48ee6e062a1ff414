import type { Command } from 'commander';
import { tellDeployment } from '../../api/deployments.js';
import { withApi } from '../../api/with-api.js';
import { jsonOrText } from '../../arguments.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';

interface SendOptions {
  readonly requestId?: string;
  readonly json?: boolean;
}

/** `reeve deployments send shop running/counter '{"order": 7}'` W2 */
export function defineDeploymentsSend(deployments: Command): void {
  deployments
    .command('send')
    .description('send an event to a component of a deployment')
    .argument('<deployment>', 'its name, like shop')
    .argument('<path>', "the path of the component, like running/counter; '' for the root")
    .argument('<event>', 'JSON, or else text')
    .option('--request-id <id>', 'the idempotency key: a repeated id has no further effect')
    .option('--json', 'as JSON')
    .addHelpText('after', examples([`reeve deployments send shop running/counter '{"order": 7}'`, 'any JSON']))
    .action(run(send));
}

async function send(name: string, path: string, event: string, { requestId, json }: SendOptions): Promise<number> {
  return withApi('workflows', async (api) => {
    const told = await tellDeployment(api, name, 'events', { json: { path, event: jsonOrText(event) }, requestId });
    if (json) printJson(told);
    else console.log(`${path === '' ? name : `${name}/${path}`}: the event is sent`);
    return EXIT.done;
  });
}
