import type { Command } from 'commander';
import { parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { run } from '../run.js';
import { requestOf, take, withTakeOptions, type TakeOptions } from '../take.js';

/** `reeve raise LogicalServer/orders delete` */
export function defineRaise(program: Command): void {
  const command = program
    .command('raise')
    .description('raise an event on an entity')
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .argument('<event>', 'like delete')
    .option('--params <json>', 'parameters of the event, as JSON');
  withTakeOptions(command)
    .addHelpText(
      'after',
      examples(
        ['reeve raise LogicalServer/orders delete', 'and go on'],
        ['reeve raise LogicalServer/orders delete --wait', 'and follow it to its end'],
      ),
    )
    .action(run(raise));
}

async function raise(target: string, event: string, options: TakeOptions): Promise<number> {
  const ref = parseTarget(target);
  return take(options, ({ reeve }, params) =>
    reeve.raiseAny(reeve.entity(ref.type), ref.key, event, { ...requestOf(options), params }),
  );
}
