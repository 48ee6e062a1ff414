import type { Command } from 'commander';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import type { RenewOptions } from './renew-runs.js';

/** `reeve payload-keys renew` Q5 */
export function definePayloadKeysRenew(keys: Command): void {
  keys
    .command('renew')
    .description('make all running workflows continue-as-new with the current key, so that none needs an older key')
    .option('--rate <per second>', 'the maximum number of workflows to signal per second', '20')
    .option('--no-wait', 'do not wait for entities that run an action or hold reservations')
    .addHelpText(
      'after',
      examples(['reeve payload-keys renew', 'after rotate and before destroy; you can interrupt and repeat it']),
    )
    .action(run(renew));
}

async function renew(options: RenewOptions): Promise<number> {
  refuseRemote('payload-keys renew', 'it works on the Temporal service itself');
  return (await import('./renew-runs.js')).renewAll(options);
}
