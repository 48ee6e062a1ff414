import type { Command } from 'commander';
import { Project } from '../../project/project.js';
import { refuseRemote } from '../api/remote-settings.js';
import { examples } from '../examples.js';
import { runProcess } from '../run-process.js';

/** `reeve worker` */
export function defineWorker(program: Command): void {
  program
    .command('worker')
    .description('run a worker for entities, operations and resource calls of the project until SIGTERM')
    .addHelpText(
      'after',
      examples(
        ['reeve worker', 'an additional worker of the stack in this data directory'],
        ['TEMPORAL_ADDRESS=temporal:7233 DATABASE_URL=postgresql://... reeve worker', 'elsewhere; as many as you like'],
      ),
    )
    .action(runProcess(worker));
}

async function worker(): Promise<number> {
  refuseRemote('worker', 'it works on Temporal and the store themselves');
  const project = await Project.find();
  const { runWorker } = await import('../../project/worker.js');
  return runWorker(project);
}
