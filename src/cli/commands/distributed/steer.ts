import { InvalidArgumentError, Option, type Command } from 'commander';
import { steerDistributed, type DistributedOperation } from '../../api/distributed.js';
import { withApi } from '../../api/with-api.js';
import { titleOf } from '../../distributed-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';
import { UsageError } from '../../usage-error.js';
import { followOperation } from './follow.js';
import { jobsAtOnce } from './jobs-at-once.js';

const EXAMPLE = 'orders.sales/line_items/buildIndex/3';
const OPERATION = ['<operation>', `its name, like ${EXAMPLE}`] as const;

interface LimitOptions {
  readonly atOnce?: number;
  readonly perSecond?: number;
  readonly json?: boolean;
}

interface CancelOptions {
  readonly reason?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `reeve distributed pause`, `resume`, `limit`, `cancel` and `proceed` I5 */
export function defineDistributedSteering(distributed: Command): void {
  distributed
    .command('pause')
    .description(
      'pause an operation: after at most a second, jobs no longer start, and those that can be interrupted have stopped',
    )
    .argument(...OPERATION)
    .option('--json', 'the new status, as JSON')
    .addHelpText('after', examples([`reeve distributed pause ${EXAMPLE}`, 'until you resume it']))
    .action(run((name: string, options: { readonly json?: boolean }) => steer(name, 'pause', undefined, options)));
  distributed
    .command('resume')
    .description('resume a paused operation where it stopped')
    .argument(...OPERATION)
    .option('--json', 'the new status, as JSON')
    .addHelpText('after', examples([`reeve distributed resume ${EXAMPLE}`, 'continue the jobs']))
    .action(run((name: string, options: { readonly json?: boolean }) => steer(name, 'resume', undefined, options)));
  distributed
    .command('limit')
    .description('limit the number of parallel jobs, and their rate')
    .argument(...OPERATION)
    .addOption(new Option('--at-once <jobs>', 'the maximum number of parallel jobs').argParser(jobsAtOnce))
    .addOption(
      new Option(
        '--per-second <amount>',
        "the most that each job may process per second, in the job's own unit, such as rows",
      ).argParser(positive),
    )
    .option('--json', 'the new status, as JSON')
    .addHelpText('after', examples([`reeve distributed limit ${EXAMPLE} --at-once 2`, 'from now on']))
    .action(run(limit));
  distributed
    .command('cancel')
    .description('cancel an operation: its jobs are cleaned up, and then it completes')
    .argument(...OPERATION)
    .option('--reason <text>', 'why')
    .option('--wait', 'follow it until it ends; exit code 0 if it ends as canceled, 1 if it has succeeded or failed')
    .option('--json', 'the new status as JSON; with --wait, its result')
    .addHelpText(
      'after',
      examples([`reeve distributed cancel ${EXAMPLE} --reason "too slow" --wait`, 'and wait for its end']),
    )
    .action(run(cancel));
  distributed
    .command('proceed')
    .description('retry failing clean-ups once more, and skip those that fail again')
    .argument(...OPERATION)
    .option('--json', 'the new status, as JSON')
    .addHelpText('after', examples([`reeve distributed proceed ${EXAMPLE}`, 'the leftovers of failing clean-ups stay']))
    .action(run((name: string, options: { readonly json?: boolean }) => steer(name, 'proceed', undefined, options)));
}

async function limit(name: string, { atOnce, perSecond, json }: LimitOptions): Promise<number> {
  if (atOnce === undefined && perSecond === undefined) throw new UsageError('Name --at-once, --per-second, or both.');
  const limits = {
    ...(atOnce !== undefined && { at_once: atOnce }),
    ...(perSecond !== undefined && { per_second: perSecond }),
  };
  return steer(name, 'limit', limits, { ...(json && { json }) });
}

async function cancel(name: string, { reason, wait, json }: CancelOptions): Promise<number> {
  const why = { ...(reason !== undefined && { reason }) };
  if (!wait) return steer(name, 'cancel', why, { ...(json && { json }) });
  return withApi('workflows', async (api) => {
    await steerDistributed(api, name, 'cancel', why);
    return followOperation(api, name, { ...(json && { json }), last: true }, 'cancelled');
  });
}

/** Tells an operation something, and shows how it is then. */
async function steer(
  name: string,
  call: Parameters<typeof steerDistributed>[2],
  given: object | undefined,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const read = await withApi('workflows', (api) => steerDistributed(api, name, call, given));
  if (json) printJson(read);
  else console.log(afterwards(read));
  return EXIT.done;
}

function afterwards(read: DistributedOperation): string {
  return `${titleOf(read)}  at most ${read.at_once === 1 ? '1 job' : `${read.at_once} jobs`} at once`;
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError('Give a number greater than 0.');
}
