import type { Command } from 'commander';
import { destroyKey } from '../../../secrecy/key-changes.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { changePayloadKeys } from '../../payload-key-file.js';
import { run } from '../../run.js';

/** `reeve payload-keys destroy ID` Q5 */
export function definePayloadKeysDestroy(keys: Command): void {
  keys
    .command('destroy')
    .description('destroy a key permanently: payloads encrypted with it become unreadable')
    .argument('<id>', 'its id, as reeve payload-keys list shows it; not that of the current key')
    .addHelpText(
      'after',
      examples(['reeve payload-keys destroy 2026-11-25-0a1b2c3d', 'when nothing that it encrypted is needed']),
    )
    .action(
      run(async (id: string) => {
        const { destroyed } = await changePayloadKeys((content) => destroyKey(content, id, new Date()));
        console.log(`${id} was destroyed at ${destroyed}`);
        return EXIT.done;
      }),
    );
}
