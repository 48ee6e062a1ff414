import type { Command } from 'commander';
import { pathOfOperation, readOperation, requestIdOf } from '../../api/operation.js';
import { withApi } from '../../api/with-api.js';
import { UsageError } from '../../usage-error.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { run } from '../../run.js';
import { followToEnd } from './follow.js';

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
  return withApi('workflows', async (api) => {
    const request = await requestIdOf(api, id);
    const path = pathOfOperation(request);
    const operation = await readOperation(api, path);
    if (operation.outcome !== 'running') {
      throw new UsageError(
        `The operation ${request} has ended already: ${operation.outcome}. There is nothing to cancel.`,
      );
    }
    await api.ask('POST', `${path}/cancel`);
    if (options.wait) return followToEnd(api, path, operation, options);
    if (options.json) printJson({ ...operation, cancel: 'requested' });
    else console.log(`asked to cancel ${request}`);
    return EXIT.done;
  });
}
