import { Option, type Command } from 'commander';
import { askOnce } from '../../ask-once.js';
import { DISTRIBUTED_PATH } from '../../api/distributed.js';
import { withApi } from '../../api/with-api.js';
import { parseParams } from '../../arguments.js';
import { colours as pc } from '../../colours.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';
import { followOperation } from './follow.js';
import { jobsAtOnce } from './jobs-at-once.js';

interface StartOptions {
  readonly params?: string;
  readonly partitions?: string;
  readonly atOnce?: number;
  readonly requestId?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `reeve distributed start buildIndex orders.sales/line_items --params '{...}'` I8 */
export function defineDistributedStart(distributed: Command): void {
  distributed
    .command('start')
    .description('start an operation, which runs a job on each partition of a target')
    .argument('<type>', 'like buildIndex, as the project names it')
    .argument('<target>', 'the target, like orders.sales/line_items')
    .option('--params <json>', 'the argument, as JSON')
    .option('--partitions <set>', 'only these, like 0-99,120')
    .addOption(new Option('--at-once <jobs>', 'the maximum number of parallel jobs').argParser(jobsAtOnce))
    .option('--request-id <id>', 'the idempotency key: a repeated id has no further effect')
    .option('--wait', 'follow it until it ends; exit code 1 unless it succeeds')
    .option('--json', 'as JSON; with --wait, its result')
    .addHelpText(
      'after',
      examples(
        [
          `reeve distributed start buildIndex orders.sales/line_items --params '{"column": "price"}'`,
          'without waiting',
        ],
        ['reeve distributed start validate orders.sales/line_items --partitions 0-9 --wait', 'and follow it'],
      ),
    )
    .action(run(start));
}

async function start(type: string, target: string, options: StartOptions): Promise<number> {
  const argument = parseParams(options.params);
  const { partitions, atOnce, requestId, wait, json } = options;
  return withApi('workflows', async (api) => {
    const asked = {
      ...{ type, target },
      ...(argument !== undefined && { argument }),
      ...(partitions !== undefined && { partitions }),
      ...(atOnce !== undefined && { at_once: atOnce }),
    };
    const { body } = await askOnce(api, DISTRIBUTED_PATH, { json: asked }, requestId);
    const { name, '@reeve.execution': link } = body as { readonly name: string; readonly '@reeve.execution'?: string };
    if (wait) return followOperation(api, name, { ...(json && { json }), last: true });
    if (json) printJson(body);
    else {
      const lines = [`${name}: started`, `  reeve distributed follow ${name}`];
      console.log([...lines, ...(link === undefined ? [] : [pc.dim(`  ${link}`)])].join('\n'));
    }
    return EXIT.done;
  });
}
