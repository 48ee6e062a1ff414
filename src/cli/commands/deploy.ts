import type { Command } from 'commander';
import { DEPLOYMENTS_PATH } from '../api/deployments.js';
import { askOnce } from '../ask-once.js';
import { withApi } from '../api/with-api.js';
import { parseObject } from '../arguments.js';
import { colours as pc } from '../colours.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJson } from '../json.js';
import { run } from '../run.js';
import { followDeploymentToItsEnd } from './deployments/follow.js';

interface DeployOptions {
  readonly params?: string;
  readonly tenant?: string;
  readonly requestId?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `reeve deploy Application shop --params '{...}'` W1 */
export function defineDeploy(program: Command): void {
  program
    .command('deploy')
    .description('start a tree of components as a workflow of its own')
    .argument('<component>', 'like Application, as the project names it')
    .argument('<name>', 'the name of the deployment, like shop')
    .option('--params <json>', 'its attributes, as JSON')
    .option('--tenant <tenant>', 'the tenant to which it belongs')
    .option('--request-id <id>', 'the idempotency key: a repeated id has no further effect')
    .option('--wait', 'follow it until it ends; exit code 1 unless it ends normally')
    .option('--json', 'as JSON; with --wait, its result')
    .addHelpText(
      'after',
      examples(
        [`reeve deploy Application shop --params '{"file": "/tmp/shop"}'`, 'without waiting'],
        ['reeve deploy Backup nightly --wait', 'start it, and follow it until it ends'],
      ),
    )
    .action(run(deploy));
}

async function deploy(component: string, name: string, options: DeployOptions): Promise<number> {
  const attributes = parseObject('--params', options.params);
  const { tenant, requestId, wait } = options;
  return withApi('workflows', async (api) => {
    const json = { name, component, ...(attributes && { attributes }), ...(tenant !== undefined && { tenant }) };
    const { body } = await askOnce(api, DEPLOYMENTS_PATH, { json }, requestId);
    if (wait) return followDeploymentToItsEnd(api, name, { ...(options.json && { json: true }), last: true });
    if (options.json) printJson(body);
    else {
      const { '@reeve.execution': link } = body as { readonly '@reeve.execution'?: string };
      const lines = [`${component} ${name}: deployed`, `  reeve deployments get ${name}`];
      console.log([...lines, ...(link === undefined ? [] : [pc.dim(`  ${link}`)])].join('\n'));
    }
    return EXIT.done;
  });
}
