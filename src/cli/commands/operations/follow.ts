import type { Command } from 'commander';
import { parseOperationPlace } from '../../../protocol/distributed-names.js';
import type { Api } from '../../api/api.js';
import {
  distributedOf,
  pathOfOperation,
  readOperation,
  requestIdOf,
  type OperationRepresentation,
} from '../../api/operation.js';
import { withApi } from '../../api/with-api.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import { follow, printOutcome, type OutcomeOptions } from '../../take.js';
import { followOperation as followDistributed } from '../distributed/follow.js';

/** `reeve operations follow 883cc7632dd9` */
export function defineOperationsFollow(operations: Command): void {
  operations
    .command('follow')
    .description('follow an operation until it ends, as a live tree of its entities; exit code 1 unless it succeeds')
    .argument('<operation>', 'its id, or its short id')
    .option('--json', 'the result, as JSON, when it ends')
    .addHelpText('after', examples(['reeve operations follow 883cc7632dd9 && echo done', 'from any terminal']))
    .action(run(followOperation));
}

async function followOperation(id: string, options: { readonly json?: boolean }): Promise<number> {
  return withApi('workflows', async (api) => {
    const path = pathOfOperation(await requestIdOf(api, id));
    const operation = await readOperation(api, path);
    return followToEnd(api, path, operation, options);
  });
}

/** An operation that another command has set off. */
export function followToEnd(
  api: Api,
  path: string,
  operation: OperationRepresentation,
  options: OutcomeOptions,
): Promise<number> | number {
  const name = operation.name ?? `operation ${operation.request_id}`;
  const root = parseOperationPlace(name.slice(name.indexOf(' ') + 1));
  if (operation.outcome !== 'running' || !root) return printOutcome(api, operation, name, options);
  const distributed = distributedOf(operation);
  if (distributed !== undefined && !options.json) {
    return followDistributed(api, distributed, {}, options.wanted === 'canceled' ? 'cancelled' : 'succeeded');
  }
  const { isOver } = options;
  return follow(api, { id: operation.request_id, path, root, ...(isOver && { isOver }) }, name, options);
}
