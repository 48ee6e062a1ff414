import type { Command } from 'commander';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import type { BackOptions, RolloutCommandOptions } from './options.js';

const DESCRIPTION = `let a new build of the workflow code take over what runs, one cohort after the other

${[
  'Start workers of the new build first (REEVE_BUILD names it), and leave those of the old build running. Then new runs of the',
  'first cohort begin on the new build. Entities at rest are woken, so many a second: each goes on in a new run. One whose action',
  'runs, or that holds reservations, goes over when that has ended. Meanwhile failed workflow tasks and failed actions are',
  'watched. Too many of them end the wakes and take the build back by themselves. At last it waits until the old build is drained.',
].join(' ')}

The command can be interrupted at any moment: 'reeve rollout status' says how it stands, and the same command goes on.`;

/** `reeve rollout 4f1c` Q2 */
export function defineRollout(program: Command): void {
  const rollout = program
    .command('rollout')
    .summary('let a new build of the workflow code take over what runs')
    .description(DESCRIPTION)
    .argument('[build]', 'the build, as its workers name it')
    .option('--cohorts <percentages>', 'how many of the workflows have the build after each step', '1%,10%,50%,100%')
    .option('--rate <per second>', 'how many workflows are woken in a second at most', '20')
    .option('--soak <seconds>', 'how long each cohort is watched at least', '10')
    .option('--max-failing <count>', 'how many workflows may have tasks that fail again and again', '0')
    .option('--max-failed <percent>', 'by how much more of the actions may fail than on the other builds', '5')
    .option('--no-way-back', 'begin also where the build before it could not read what this one migrates')
    .option('--without-store', 'do not watch failed actions, which only the store tells')
    .option('--no-wait', 'end when all new runs begin on the build, and do not wait until the old one is drained')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve rollout status', 'the builds, what runs on each, and which workers can end'],
        ['reeve rollout 4f1c9ab20d3e', 'by 1 %, 10 %, 50 % and 100 %'],
        ['reeve rollout 4f1c9ab20d3e --cohorts 100% --soak 0', 'all at once'],
        ['reeve rollout back', 'what has gone over goes back to the build before'],
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
    .command('back')
    .description('take a build back: new runs begin on the one before it, and what is at rest goes back at once')
    .argument('[build]', 'the build; without it, the one that is being rolled out or was rolled out last')
    .option('--rate <per second>', 'how many workflows are woken in a second at most', '20')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        ['reeve rollout back', 'what has gone over goes back to the build before'],
        ['reeve rollout back 4f1c9ab20d3e', 'the same, of a build that was rolled out earlier'],
      ),
    )
    .action(run(back));
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

async function back(build: string | undefined, options: BackOptions): Promise<number> {
  refuseRemote('rollout back', WHY);
  return (await import('./back.js')).goBack(build, options);
}
