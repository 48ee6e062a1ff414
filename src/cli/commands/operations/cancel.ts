import type { Command } from 'commander';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { requestIdOf } from '../../operation-id.js';
import { run } from '../../run.js';
import { openSession } from '../../session.js';
import { follow, takenAs } from '../../take.js';

interface CancelOptions {
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `reeve operations cancel 1807381927000123` S4.7 */
export function defineOperationsCancel(operations: Command): void {
  operations
    .command('cancel')
    .description('ask to cancel an operation: each of its entities answers as it declares')
    .argument('<operation>', 'its operation id or request id')
    .option('--wait', 'follow the operation to its end')
    .option('--json', 'the answer, or with --wait the result, as JSON')
    .addHelpText('after', examples(['reeve operations cancel 1807381927000123 --wait', 'and see whether it is']))
    .action(run(cancel));
}

async function cancel(id: string, options: CancelOptions): Promise<number> {
  const operation = await requestIdOf(id);
  const session = await openSession();
  try {
    await session.reeve.operations.cancel(operation);
    if (options.wait) {
      return await follow(session, takenAs(await session.reeve.operations.status(operation)), options);
    }
    if (options.json) printJson({ operation, cancel: 'requested' });
    else console.log(`asked to cancel ${operation}`);
    return EXIT.done;
  } finally {
    await session.close();
  }
}
