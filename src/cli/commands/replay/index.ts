import type { Command } from 'commander';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import type { ReplayOptions } from './options.js';

const DESCRIPTION = `replay histories on the workflow code that is built now

A history that replays can be gone on with by this code. One that does not needs the build that made it: roll the new build out
with 'reeve rollout', so that no run ever changes its build, or put the code back.`;

/** `reeve replay --open 200` S4.1a, Q2 */
export function defineReplay(program: Command): void {
  program
    .command('replay')
    .summary('replay recorded or open histories on the workflow code that is built now')
    .description(DESCRIPTION)
    .argument('[histories...]', 'files or folders of histories, as JSON or gzipped')
    .option('--open <count>', 'the newest open histories of the project on the Temporal service, so many at most')
    .option('--bundle <file>', `the bundle of the workflow code; without it, the project's`)
    .option('--keep <folder>', 'keep the histories there that do not replay')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve replay --open 200', 'would this code go on with what runs?'],
        ['reeve replay test/histories', 'exit code 1 when one does not replay'],
      ),
    )
    .action(run(replay));
}

async function replay(histories: readonly string[], options: ReplayOptions): Promise<number> {
  return (await import('./do-replay.js')).doReplay(histories, options);
}
