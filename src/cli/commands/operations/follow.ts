import type { Command } from 'commander';
import { examples } from '../../examples.js';
import { requestIdOf } from '../../operation-id.js';
import { printEnded, statusOrRow } from '../../recorded-operation.js';
import { run } from '../../run.js';
import { withSession } from '../../session.js';
import { follow, takenAs } from '../../take.js';

/** `reeve operations follow 1807381927000123` */
export function defineOperationsFollow(operations: Command): void {
  operations
    .command('follow')
    .description('follow an operation to its end, with a live tree of its entities; the exit code tells the outcome')
    .argument('<operation>', 'its operation id or request id')
    .option('--json', 'the result, when it has ended, as JSON')
    .addHelpText('after', examples(['reeve operations follow 1807381927000123 && echo done', 'from any terminal']))
    .action(run(followOperation));
}

async function followOperation(id: string, options: { readonly json?: boolean }): Promise<number> {
  const operation = await requestIdOf(id);
  return withSession(async (session) => {
    const found = await statusOrRow(session, operation);
    return 'row' in found ? printEnded(found.row, options) : follow(session, takenAs(found.status), options);
  });
}
