import type { Api } from '../src/cli/api/api.js';
import { pathOfOperation, type OperationRepresentation } from '../src/cli/api/operation.js';
import { Problem } from '../src/cli/api/problem.js';
import { onEntity, pathOfType } from '../src/cli/api/type-paths.js';
import { showProgress } from '../src/cli/progress-view.js';
import { LogicalServer } from '../workflows/logical-server/definition.js';

/**
 * Provisions a logical server and shows the progress. It goes on with one that was begun before. Gives `undefined` when the
 * server was there already.
 * @throws Problem
 */
export async function provision(api: Api, name: string): Promise<OperationRepresentation | undefined> {
  const root = { type: LogicalServer.name, key: name };
  const operation = await begin(api, name);
  if (operation === undefined) return undefined;
  return showProgress(api, { id: operation, root, path: `${pathOfOperation(operation)}?${onEntity(root)}` });
}

/** The id of the operation that creates it, begun now or before. Gives `undefined` when the server was there already. */
async function begin(api: Api, name: string): Promise<string | undefined> {
  try {
    const json = { key: name, event: 'create' };
    const { body } = await api.ask('POST', await pathOfType(api, LogicalServer.name), { json });
    return (body as OperationRepresentation).request_id;
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    if (thrown.code === 'already_done') return undefined;
    const { operation } = thrown.details;
    if (thrown.code !== 'already_in_progress' || typeof operation !== 'string') throw thrown;
    return operation;
  }
}
