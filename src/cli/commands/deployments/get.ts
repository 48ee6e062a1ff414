import type { Command } from 'commander';
import { mermaidTree } from '../../../components/index.js';
import { readDeployment } from '../../api/deployments.js';
import { withApi } from '../../api/with-api.js';
import { deploymentLines } from '../../deployment-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';

interface GetOptions {
  readonly mermaid?: boolean;
  readonly json?: boolean;
}

/** `reeve deployments get shop` W1 */
export function defineDeploymentsGet(deployments: Command): void {
  deployments
    .command('get')
    .description('show each component of a deployment: its phase, since when, and what it is doing')
    .argument('<deployment>', 'its name, like shop')
    .option('--mermaid', 'as a Mermaid flowchart')
    .option('--json', 'all of it, as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve deployments get shop', 'as a tree'],
        ['reeve deployments get shop --mermaid > shop.mmd', 'for https://mermaid.live'],
      ),
    )
    .action(run(get));
}

async function get(name: string, { mermaid, json }: GetOptions): Promise<number> {
  return withApi('either', async (api) => {
    const read = await readDeployment(api, name);
    if (json) printJson(read);
    else if (mermaid) console.log(mermaidTree(read.tree, Date.now()));
    else console.log(deploymentLines(read, Date.now()).join('\n'));
    return EXIT.done;
  });
}
