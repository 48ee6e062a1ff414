import type { Command } from 'commander';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { openKeyFile } from '../../key-file.js';
import { run } from '../../run.js';

/** `reeve keys list` S6.5 */
export function defineKeysList(keys: Command): void {
  keys
    .command('list')
    .description('list the keys with their subjects and roles')
    .option('--json', 'as JSON, without the hashes')
    .addHelpText('after', examples(['reeve keys list', 'with the ids for reeve keys revoke']))
    .action(run(listKeys));
}

async function listKeys(options: { readonly json?: boolean }): Promise<number> {
  const { keys } = await openKeyFile();
  if (options.json) {
    printJson({ items: keys.map(({ hash: _, ...shown }) => shown) });
    return EXIT.done;
  }
  for (const { id, subject, tenant, roles, expires } of keys) {
    console.log(
      [id, subject, tenant, roles.join(','), ...(expires === undefined ? [] : [`until ${expires}`])].join('  '),
    );
  }
  return EXIT.done;
}
