import type { Command } from 'commander';
import { Project } from '../../project/project.js';
import { refuseRemote } from '../api/remote-settings.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { runProcess } from '../run-process.js';

/** `reeve service` S6.1 */
export function defineService(program: Command): void {
  program
    .command('service')
    .description('run a management service of the project, with the HTTP API and the web page, until SIGTERM')
    .addHelpText(
      'after',
      examples(
        ['REEVE_API_PORT=8235 reeve service', 'an additional service of the stack in this data directory'],
        [
          'TEMPORAL_ADDRESS=temporal:7233 DATABASE_URL=postgresql://... reeve service',
          'elsewhere; as many as you like',
        ],
      ),
    )
    .action(runProcess(service));
}

async function service(): Promise<number> {
  refuseRemote('service', 'it is what serves over HTTP');
  const project = await Project.find();
  const { runService } = await import('../../project/service.js');
  await runService(project);
  return EXIT.done;
}
