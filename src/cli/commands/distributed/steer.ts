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
    .description('within a second no job begins any more, and those that can be interrupted stop')
    .argument(...OPERATION)
    .option('--json', 'as it is afterwards, as JSON')
    .addHelpText('after', examples([`reeve distributed pause ${EXAMPLE}`, 'until it is resumed']))
    .action(run((name: string, options: { readonly json?: boolean }) => steer(name, 'pause', undefined, options)));
  distributed
    .command('resume')
    .description('let a paused operation go on from where it stopped')
    .argument(...OPERATION)
    .option('--json', 'as it is afterwards, as JSON')
    .addHelpText('after', examples([`reeve distributed resume ${EXAMPLE}`, 'and it goes on']))
    .action(run((name: string, options: { readonly json?: boolean }) => steer(name, 'resume', undefined, options)));
  distributed
    .command('limit')
    .description('limit how many jobs run at once, and how much each does in a second')
    .argument(...OPERATION)
    .addOption(new Option('--at-once <jobs>', 'the most jobs at once').argParser(jobsAtOnce))
    .addOption(new Option('--per-second <amount>', 'what each job does in a second, at most').argParser(positive))
    .option('--json', 'as it is afterwards, as JSON')
    .addHelpText('after', examples([`reeve distributed limit ${EXAMPLE} --at-once 2`, 'from now on']))
    .action(run(limit));
  distributed
    .command('cancel')
    .description('stop an operation; its jobs are cleaned up, and then it completes')
    .argument(...OPERATION)
    .option('--reason <text>', 'why')
    .option('--wait', 'follow it until it has ended')
    .option('--json', 'as it is afterwards, as JSON; with --wait, as it has ended')
    .addHelpText(
      'after',
      examples([`reeve distributed cancel ${EXAMPLE} --reason "too slow" --wait`, 'and see its end']),
    )
    .action(run(cancel));
  distributed
    .command('proceed')
    .description('try clean-ups that fail once more, and go on without those that fail again')
    .argument(...OPERATION)
    .option('--json', 'as it is afterwards, as JSON')
    .addHelpText('after', examples([`reeve distributed proceed ${EXAMPLE}`, 'what they would have cleaned up stays']))
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
    await followOperation(api, name, { ...(json && { json }), last: true });
    return EXIT.done;
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
