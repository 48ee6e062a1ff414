import { InvalidArgumentError, type Command } from 'commander';
import { changeJob } from '../../api/distributed.js';
import { withApi } from '../../api/with-api.js';
import { titleOf } from '../../distributed-words.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';

const EXAMPLE = 'orders.sales/line_items/validate/3';
const OPERATION = ['<operation>', `its name, like ${EXAMPLE}`] as const;
const REQUEST_ID = ['--request-id <id>', 'the idempotency key: a repeated id has no further effect'] as const;

interface JobOptions {
  readonly requestId?: string;
  readonly json?: boolean;
}

/** `reeve distributed retry` and `move` I1, I5 */
export function defineDistributedJobs(distributed: Command): void {
  distributed
    .command('retry')
    .description('start the next attempt of a job now; a failed job can be retried only while other jobs still run')
    .argument(...OPERATION)
    .argument('<partition>', 'the partition of the job', partitionNumber)
    .option(...REQUEST_ID)
    .option('--json', 'the new status, as JSON')
    .addHelpText('after', examples([`reeve distributed retry ${EXAMPLE} 7`, 'the job of partition 7']))
    .action(
      run((name: string, partition: number, options: JobOptions) =>
        change(name, { partition, call: 'retry', ...said(partition, 'is attempted now') }, options),
      ),
    );
  distributed
    .command('move')
    .description('move a job to another place, one that has a replica of its partition')
    .argument(...OPERATION)
    .argument('<partition>', 'the partition of the job', partitionNumber)
    .argument('<place>', 'the place, like west')
    .option(...REQUEST_ID)
    .option('--json', 'the new status, as JSON')
    .addHelpText('after', examples([`reeve distributed move ${EXAMPLE} 7 west`, 'the job of partition 7']))
    .action(
      run((name: string, partition: number, place: string, options: JobOptions) =>
        change(name, { partition, call: 'move', json: { place }, ...said(partition, `moves to ${place}`) }, options),
      ),
    );
}

interface Change extends Omit<Parameters<typeof changeJob>[2], 'requestId'> {
  readonly words: string;
}

function said(partition: number, what: string): Pick<Change, 'words'> {
  return { words: `partition ${partition} ${what}` };
}

async function change(name: string, { words, ...call }: Change, { requestId, json }: JobOptions): Promise<number> {
  const read = await withApi('workflows', (api) => changeJob(api, name, { ...call, requestId }));
  if (json) printJson(read);
  else console.log(`${titleOf(read)}  ${words}`);
  return EXIT.done;
}

function partitionNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('Give the number of a partition, as in 7.');
}
