import type { Command } from 'commander';
import { callbackMeant } from '../../api/callbacks.js';
import { parseTarget } from '../../arguments.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import { onPath, take, withTakeOptions, type TakeOptions } from '../../take.js';

/** `reeve callbacks extend Order/o approvals.ask --within 5d` A1 */
export function defineCallbacksExtend(callbacks: Command): void {
  const command = callbacks
    .command('extend')
    .description('extend the time of a pending callback; its address stays the same')
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .argument(
      '[callback]',
      'its id, the call that waits for it, or the event that it raises; not needed if only one is pending',
    )
    .requiredOption('--within <duration>', 'how long to wait from now, like 2d');
  withTakeOptions(command)
    .addHelpText(
      'after',
      examples(['reeve callbacks extend LogicalServer/orders --within 5d', 'until five days from now']),
    )
    .action(run(extend));
}

async function extend(
  target: string,
  callback: string | undefined,
  { within, ...options }: TakeOptions & { readonly within: string },
): Promise<number> {
  return take(options, {
    ...{ entity: parseTarget(target), event: 'extend callback of', path: onPath('extend-callback') },
    json: async (api, entity) => ({ callback: (await callbackMeant(api, entity, callback)).id, within }),
  });
}
