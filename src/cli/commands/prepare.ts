import type { Command } from 'commander';
import { prepareNamespace } from '../../project/prepare-namespace.js';
import { prepareStore } from '../../project/prepare-store.js';
import { Project } from '../../project/project.js';
import { findDatabase } from '../../stack/database.js';
import { findService } from '../../stack/service.js';
import { refuseRemote } from '../api/remote-settings.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { run } from '../run.js';

/** `reeve prepare` */
export function definePrepare(program: Command): void {
  program
    .command('prepare')
    .description('migrate the store and the Temporal namespace to this version, before workers and services start')
    .addHelpText(
      'after',
      examples([
        'TEMPORAL_ADDRESS=temporal:7233 DATABASE_URL=postgresql://... reeve prepare',
        'tables, views and search attributes; safe to repeat',
      ]),
    )
    .action(run(prepare));
}

async function prepare(): Promise<number> {
  refuseRemote('prepare', 'it works on Temporal and the store themselves');
  const project = await Project.find();
  const location = await findService();
  await prepareStore(project, await findDatabase());
  console.log('the store is what this version needs');
  await prepareNamespace(location);
  console.log(`the namespace ${location.namespace} has the search attributes`);
  return EXIT.done;
}
