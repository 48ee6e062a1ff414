import type { Command } from 'commander';
import { entityId } from '../../protocol/names.js';
import { formatEntity } from '../output.js';
import { parseTarget } from '../arguments.js';
import { EXIT } from '../exit.js';
import { examples } from '../examples.js';
import { printJson } from '../json.js';
import { run } from '../run.js';
import { withSession } from '../session.js';

/** `reeve get LogicalServer/orders` */
export function defineGet(program: Command): void {
  program
    .command('get')
    .description('show an entity: its state, properties, successors and valid events')
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .option('--json', 'everything, as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve get LogicalServer/orders', 'for people'],
        ['reeve get LogicalServer/orders --json | jq .properties', 'for scripts'],
      ),
    )
    .action(run(get));
}

async function get(target: string, options: { readonly json?: boolean }): Promise<number> {
  const ref = parseTarget(target);
  return withSession(async ({ reeve, link }) => {
    const entity = reeve.entity(ref.type);
    const reading = await reeve.read(ref);
    if (options.json) printJson({ id: entityId(ref), gone: reading.gone, ...reading.snapshot });
    else console.log(formatEntity(entity, reading, link));
    return EXIT.done;
  });
}
