import type { Command } from 'commander';
import { callbackMeant } from '../../api/callbacks.js';
import { parseTarget } from '../../arguments.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import { onPath, take, withTakeOptions, type TakeOptions } from '../../take.js';

/** `reeve callbacks revoke Order/o approvals.ask` A1 */
export function defineCallbacksRevoke(callbacks: Command): void {
  const command = callbacks
    .command('revoke')
    .description('revoke a pending callback: its address is closed, and its call fails with call_revoked')
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .argument(
      '[callback]',
      'its id, the call that waits for it, or the event that it raises; not needed if only one is pending',
    );
  withTakeOptions(command)
    .addHelpText('after', examples(['reeve callbacks revoke LogicalServer/orders', 'it cannot be answered any more']))
    .action(run(revoke));
}

async function revoke(target: string, callback: string | undefined, options: TakeOptions): Promise<number> {
  return take(options, {
    ...{ entity: parseTarget(target), event: 'revoke callback of', path: onPath('revoke-callback') },
    json: async (api, entity) => ({ callback: (await callbackMeant(api, entity, callback)).id }),
  });
}
