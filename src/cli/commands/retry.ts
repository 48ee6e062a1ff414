import type { Command } from 'commander';
import { parseTarget } from '../arguments.js';
import { examples } from '../examples.js';
import { run } from '../run.js';
import { onPath, take, withTakeOptions, withVersionOption, type TakeOptions } from '../take.js';

/** `reeve retry SqlApplication/orders` S3.5 */
export function defineRetry(program: Command): void {
  const command = program
    .command('retry')
    .description('retry the failed action of an entity, when all its attempts are used up')
    .argument('<entity>', 'type and key, like SqlApplication/orders');
  withTakeOptions(withVersionOption(command))
    .addHelpText('after', examples(['reeve retry SqlApplication/orders --wait', 'after you fixed the cause']))
    .action(run(retry));
}

async function retry(target: string, options: TakeOptions): Promise<number> {
  const entity = parseTarget(target);
  return take(options, { entity, event: 'retry', path: onPath('retry-action') });
}
