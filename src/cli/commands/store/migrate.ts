import type { Command } from 'commander';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';
import { withOwnStore } from '../../store-session.js';

/** `reeve store migrate` */
export function defineStoreMigrate(store: Command): void {
  store
    .command('migrate')
    .description('migrate the tables, views and roles of the store to this version; safe to repeat')
    .option('--json', 'the changes, as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve store migrate', 'the store of the running stack'],
        ['DATABASE_URL=postgresql://... reeve store migrate', 'another store, as its owner'],
      ),
    )
    .action(run(migrate));
}

async function migrate(options: { readonly json?: boolean }): Promise<number> {
  refuseRemote('store migrate', 'it changes the store itself, as its owner');
  return withOwnStore(async (store) => {
    const changed = await store.pending();
    await store.migrate();
    if (options.json) printJson({ changed });
    else if (changed.length === 0) console.log('the store is what this version needs');
    else console.log(`migrated: ${changed.join(', ')}`);
    return EXIT.done;
  });
}
