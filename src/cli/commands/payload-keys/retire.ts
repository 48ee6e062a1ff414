import type { Command } from 'commander';
import { retireKey } from '../../../secrecy/key-changes.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { changePayloadKeys } from '../../payload-key-file.js';
import { run } from '../../run.js';

/** `reeve payload-keys retire ID` Q5 */
export function definePayloadKeysRetire(keys: Command): void {
  keys
    .command('retire')
    .description('destroy a key permanently: payloads encrypted with it become unreadable')
    .argument('<id>', 'its id, as reeve payload-keys list shows it; not that of the current key')
    .addHelpText(
      'after',
      examples(['reeve payload-keys retire 2026-11-25-0a1b2c3d', 'when nothing that it encrypted is needed']),
    )
    .action(
      run(async (id: string) => {
        const { retired } = await changePayloadKeys((content) => retireKey(content, id, new Date()));
        console.log(`${id} is retired since ${retired}`);
        return EXIT.done;
      }),
    );
}
