import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { requestIdOf } from '../../operation-id.js';
import { statusOrRow } from '../../recorded-operation.js';
import { run } from '../../run.js';
import { withSession } from '../../session.js';
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
  return withSession(async (session) => {
    const found = await statusOrRow(session, operation);
    const outcome = 'row' in found ? found.row.outcome : found.status.outcome;
    if ('row' in found || outcome !== 'running') {
      throw new UsageError(`The operation ${operation} has ended already: ${outcome}. There is nothing to cancel.`);
    }
    await session.reeve.operations.cancel(operation);
    if (options.wait) return follow(session, takenAs(found.status), options);
    if (options.json) printJson({ operation, cancel: 'requested' });
    else console.log(`asked to cancel ${operation}`);
    return EXIT.done;
  });
}
