import type { ReeveClient } from '../src/client/client.js';
import { showProgress } from '../src/cli/progress-view.js';
import type { OperationResult } from '../src/operations/status.js';
import { Rejected } from '../src/protocol/errors.js';
import { LogicalServer } from '../workflows/logical-server/definition.js';

export interface Provisioning {
  /** None when the server was there already. */
  readonly result?: OperationResult;
  readonly operation?: string;
}

/**
 * Provisions a logical server and shows the progress; goes on with one that was begun before.
 * @throws Rejected
 */
export async function provision(reeve: ReeveClient, name: string): Promise<Provisioning> {
  try {
    const taken = await reeve.create(LogicalServer, name, 'create', {});
    const result = await showProgress(reeve, taken);
    return { result, operation: result.id };
  } catch (thrown) {
    if (!(thrown instanceof Rejected)) throw thrown;
    if (thrown.code === 'already_done') return {};
    const { operation } = thrown.rejection;
    if (thrown.code !== 'already_in_progress' || operation === undefined) throw thrown;
    const entity = { type: LogicalServer.name, key: name };
    const answer = { status: 'accepted' as const, operation };
    const result = await showProgress(reeve, { entity, event: 'create', requestId: operation, answer });
    return { result, operation };
  }
}
