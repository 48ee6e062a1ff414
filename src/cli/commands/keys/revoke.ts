import type { Command } from 'commander';

import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { openKeyFile } from '../../key-file.js';
import { run } from '../../run.js';
import { UsageError } from '../../usage-error.js';

/** `reeve keys revoke 0123456789ab` S6.5 */
export function defineKeysRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('revoke a key: requests with it are refused from now on, streams end within 5 minutes')
    .argument('<id>', 'its id, as reeve keys list shows it: the middle part of the key')
    .addHelpText(
      'after',
      examples(['reeve keys revoke 0123456789ab', 'for all instances of the service that read this file']),
    )
    .action(run(revokeKey));
}

async function revokeKey(id: string): Promise<number> {
  const { file, keys } = await openKeyFile();
  const left = keys.filter((key) => key.id !== id);
  if (left.length === keys.length) throw new UsageError(`There is no key '${id}'. 'reeve keys list' shows all keys.`);
  await file.write(left);
  return EXIT.done;
}
