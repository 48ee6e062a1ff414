import type { Command } from 'commander';
import { Project } from '../../project/project.js';
import { refuseRemote } from '../api/remote-settings.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { runProcess } from '../run-process.js';

interface ExecutorOptions {
  readonly place?: readonly string[];
}

/** `reeve executor` I1 */
export function defineExecutor(program: Command): void {
  program
    .command('executor')
    .description(
      'run the jobs of operations over partitions until SIGTERM, at all places, or at those that you name with --place',
    )
    .option('--place <place...>', 'the places to serve (default: all)')
    .addHelpText('after', examples(['reeve executor --place east', 'serve the partitions of east']))
    .action(runProcess(executor));
}

async function executor({ place = [] }: ExecutorOptions): Promise<number> {
  refuseRemote('executor', 'it works on Temporal itself');
  const project = await Project.find();
  const { runExecutor } = await import('../../project/executor.js');
  await runExecutor(project, place);
  return EXIT.done;
}
