import type { Command } from 'commander';
import { rotateKeys } from '../../../secrecy/key-changes.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { changePayloadKeys } from '../../payload-key-file.js';
import { run } from '../../run.js';

/** `reeve payload-keys rotate [ID]` Q5 */
export function definePayloadKeysRotate(keys: Command): void {
  keys
    .command('rotate')
    .description('encrypt with a new or an existing key from now on; the others still decrypt')
    .argument('[id]', 'an existing key: put it into each copy of the key file first, if processes use copies')
    .addHelpText(
      'after',
      examples(['reeve payload-keys rotate', 'processes that share this file use it within a second']),
    )
    .action(
      run(async (id: string | undefined) => {
        console.log((await changePayloadKeys((content) => rotateKeys(content, id, new Date()))).id);
        return EXIT.done;
      }),
    );
}
