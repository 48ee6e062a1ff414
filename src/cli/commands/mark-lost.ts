import type { Command } from 'commander';
import { parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { run } from '../run.js';
import { requestOf, take, withTakeOptions, type TakeOptions } from '../take.js';

/** `reeve mark-lost LogicalServer/orders Alias/orders` S4.4 */
export function defineMarkLost(program: Command): void {
  const command = program
    .command('mark-lost')
    .description('tell an entity that a successor is lost, and not to be waited for')
    .argument('<entity>', 'the one that waits, like LogicalServer/orders')
    .argument('<successor>', 'the one that is lost, like Alias/orders');
  withTakeOptions(command)
    .addHelpText('after', examples(['reeve mark-lost LogicalServer/orders Alias/orders', 'it counts as failed']))
    .action(run(markLost));
}

async function markLost(target: string, successor: string, options: TakeOptions): Promise<number> {
  const [ref, lost] = [parseTarget(target), parseTarget(successor)];
  return take(options, ({ reeve }) => {
    reeve.entity(ref.type);
    return reeve.markLost(ref, lost, requestOf(options));
  });
}
