import type { Command } from 'commander';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import type { ReplayOptions } from './options.js';

const DESCRIPTION = `replay histories on the current build of the workflow code

${[
  'If a history replays, this build can continue it. If it does not, only the build that recorded it can. Then revert the code, or use',
  "'reeve rollout': each run stays on its build, and workflows move to the new one when they start a new run.",
].join(' ')}`;

/** `reeve replay --open 200` S4.1a, Q2 */
export function defineReplay(program: Command): void {
  program
    .command('replay')
    .summary('check that the current build can continue workflows: replay their histories')
    .description(DESCRIPTION)
    .argument('[histories...]', 'files or folders of histories, as JSON or gzipped')
    .option(
      '--open <count>',
      'replay the histories of at most this many running workflows of the project, the newest first',
    )
    .option('--bundle <file>', `the workflow bundle (default: that of the project)`)
    .option('--keep <folder>', 'save to this folder the histories that do not replay')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve replay --open 200', 'check whether this code can continue what runs'],
        ['reeve replay test/histories', 'exit code 1 if one does not replay'],
      ),
    )
    .action(run(replay));
}

async function replay(histories: readonly string[], options: ReplayOptions): Promise<number> {
  return (await import('./do-replay.js')).doReplay(histories, options);
}
