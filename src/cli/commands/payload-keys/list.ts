import type { Command } from 'commander';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { openPayloadKeys } from '../../payload-key-file.js';
import { run } from '../../run.js';

/** `reeve payload-keys list` Q5 */
export function definePayloadKeysList(keys: Command): void {
  keys
    .command('list')
    .description('list all keys, and show which one is current and which are destroyed')
    .option('--json', 'as JSON, without the secrets')
    .addHelpText('after', examples(['reeve payload-keys list', 'with the ids for rotate and destroy']))
    .action(run(listKeys));
}

async function listKeys(options: { readonly json?: boolean }): Promise<number> {
  const { content } = await openPayloadKeys();
  const items = content.keys.map(({ secret: _, ...key }) => ({ ...key, current: key.id === content.current }));
  if (options.json) printJson({ items });
  else {
    for (const { id, created, destroyed, current } of items) {
      const use = current ? 'encrypts and decrypts' : destroyed === undefined ? 'decrypts' : `destroyed ${destroyed}`;
      console.log(`${id}  made ${created}  ${use}`);
    }
  }
  return EXIT.done;
}
