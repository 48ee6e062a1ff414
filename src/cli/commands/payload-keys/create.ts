import type { Command } from 'commander';
import { createKey } from '../../../secrecy/key-changes.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { changePayloadKeys } from '../../payload-key-file.js';
import { run } from '../../run.js';

/** `reeve payload-keys create` Q5 */
export function definePayloadKeysCreate(keys: Command): void {
  keys
    .command('create')
    .description("create a key and print its id; the first key is used at once, others after 'rotate'")
    .addHelpText('after', examples(['reeve payload-keys create', 'create the first key, before you start the stack']))
    .action(
      run(async () => {
        console.log((await changePayloadKeys((content) => createKey(content, new Date()))).id);
        return EXIT.done;
      }),
    );
}
