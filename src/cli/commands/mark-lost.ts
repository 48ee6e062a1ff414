import type { Command } from 'commander';
import { nameOf } from '../api/entity.js';
import { parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { meantBy } from '../key-by-parts.js';
import { run } from '../run.js';
import { onPath, take, withTakeOptions, type TakeOptions } from '../take.js';

/** `reeve mark-lost LogicalServer/orders Alias/orders` S4.4 */
export function defineMarkLost(program: Command): void {
  const command = program
    .command('mark-lost')
    .description('report a successor as lost, so that the entity stops waiting for it')
    .argument('<entity>', 'the entity that waits, like LogicalServer/orders')
    .argument('<successor>', 'the lost one, like Alias/orders');
  withTakeOptions(command)
    .addHelpText(
      'after',
      examples(['reeve mark-lost LogicalServer/orders Alias/orders', 'the successor counts as failed']),
    )
    .action(run(markLost));
}

async function markLost(target: string, lost: string, options: TakeOptions): Promise<number> {
  const [entity, successor] = [parseTarget(target), parseTarget(lost)];
  return take(options, {
    ...{ entity, event: 'mark-lost', path: onPath('mark-lost') },
    json: async (api) => ({ successor: nameOf(await meantBy(api, successor)) }),
  });
}
