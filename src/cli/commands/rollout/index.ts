import type { Command } from 'commander';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import type { UndoOptions, RolloutCommandOptions } from './options.js';

const DESCRIPTION = `move running workflows to a new build of the workflow code, cohort by cohort

${[
  'Start workers of the new build first: REEVE_BUILD sets their build. Keep the workers of the old build running. The first cohort then',
  'moves: its share of new executions begins on the new build, and its share of resting entities is signaled to continue-as-new on it. An entity that runs an action',
  'moves when its attempt ends; one that holds reservations, when they are released. The next cohort follows if few workflow tasks and',
  'actions fail. If many fail, the rollout stops and is rolled back. At the end, the command waits until the old build is drained.',
].join(' ')}

You can interrupt the command at any time. 'reeve rollout status' shows the progress, and the same command resumes the rollout.`;

/** `reeve rollout 4f1c` Q2 */
export function defineRollout(program: Command): void {
  const rollout = program
    .command('rollout')
    .summary('move running workflows to a new build of the workflow code')
    .description(DESCRIPTION)
    .argument('[build]', 'the build, as its workers name it')
    .option('--cohorts <percentages>', 'the share of workflows on the new build after each step', '1%,10%,50%,100%')
    .option('--rate <per second>', 'the maximum number of workflows to signal per second', '20')
    .option('--soak <seconds>', 'the shortest time to watch each cohort', '10')
    .option('--max-failing <count>', 'how many workflows may keep failing their tasks', '0')
    .option(
      '--max-failed <percent>',
      'by how many percentage points the share of failed actions may exceed that of other builds',
      '5',
    )
    .option(
      '--no-rollback',
      'begin even if a rollback will be impossible, because the previous build cannot read data that the new build migrates',
    )
    .option(
      '--without-store',
      'roll out while the store is unavailable; failed actions are then not counted, because only the store records them',
    )
    .option('--no-wait', 'do not wait until the old build is drained')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve rollout status', 'the builds, what runs on each, and which workers can end'],
        ['reeve rollout 4f1c9ab20d3e', 'in steps: to 1%, 10%, 50% and 100%'],
        ['reeve rollout 4f1c9ab20d3e --cohorts 100% --soak 0', 'all at once'],
        ['reeve rollout undo', 'roll back to the previous build'],
      ),
    )
    .action(run(rollOut));
  rollout
    .command('status')
    .description('show the builds, and what runs on each')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(['reeve rollout status', 'the builds, what runs on each, and which workers can end']),
    )
    .action(run(status));
  rollout
    .command('undo')
    .description(
      'roll a build back: new executions begin on the previous build, and resting entities move back at once',
    )
    .argument('[build]', 'the build to leave (default: the one that is being rolled out, or was rolled out last)')
    .option('--rate <per second>', 'the maximum number of workflows to signal per second', '20')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve rollout undo', 'roll back to the previous build'],
        ['reeve rollout undo 4f1c9ab20d3e', 'roll back a build that was rolled out earlier'],
      ),
    )
    .action(run(undo));
}

const WHY = 'it works on the Temporal service itself';

async function rollOut(build: string | undefined, options: RolloutCommandOptions): Promise<number> {
  refuseRemote('rollout', WHY);
  return (await import('./roll-out.js')).rollOut(build, options);
}

async function status(options: { readonly json?: boolean }): Promise<number> {
  refuseRemote('rollout status', WHY);
  return (await import('./status.js')).showStatus(options);
}

async function undo(build: string | undefined, options: UndoOptions): Promise<number> {
  refuseRemote('rollout undo', WHY);
  return (await import('./undo.js')).undo(build, options);
}
