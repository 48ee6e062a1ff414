import type { Command } from 'commander';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import type { RenewOptions } from './renew-runs.js';

/** `reeve payload-keys renew` Q5 */
export function definePayloadKeysRenew(keys: Command): void {
  keys
    .command('renew')
    .description(
      'let all that runs go on in new runs, which are written with the key of now; then nothing that runs needs an older key',
    )
    .option('--rate <per second>', 'the most workflows to signal in a second', '20')
    .option('--no-wait', 'do not wait for those whose action runs, or that hold reservations')
    .addHelpText(
      'after',
      examples(['reeve payload-keys renew', 'after rotate, and before retire; it can be interrupted, and begun again']),
    )
    .action(run(renew));
}

async function renew(options: RenewOptions): Promise<number> {
  refuseRemote('payload-keys renew', 'it works on the Temporal service itself');
  return (await import('./renew-runs.js')).renewAll(options);
}
