import { approvals } from '../../activities/approvals/contract.js';
import { CallFailed, type Action, type ResourceContext, type TransitionError } from '../../src/definition/index.js';
import { LogicalServer } from '../logical-server/definition.js';
import type { LogicalDatabase } from './definition.js';
import { placeOf, targetOf } from './place.js';

type Database = typeof LogicalDatabase;

/** Tells whether the server says that its databases leave their data cluster only with an approval. */
export async function needsApproval(context: ResourceContext, server: string): Promise<boolean> {
  const view = await context.read(LogicalServer, server);
  return view?.properties.movesNeedApproval === true;
}

/**
 * Asks outside whether the database may move, and waits for the answer, for days. Nothing has been done yet: where it may not, or
 * nobody answers, it stays as it is, and goes on. A1
 */
export const awaitApproval: Action<Database, 'awaitApproval'> = async (database) => {
  const { key, properties } = database;
  const { server } = placeOf(database);
  const { target: targetServer, dataCluster: targetDataCluster } = targetOf(database);
  const { moveBegunAt: begunAt } = properties;
  if (begunAt === undefined) throw new Error('The database has no move to ask about.');
  const move = { database: key, begunAt, server, dataCluster: properties.dataCluster, targetServer, targetDataCluster };
  try {
    const { approved, by, reason } = await database.call(approvals.askForMove, move);
    if (!approved) return database.goTo('WithdrawingRequest', { error: refusedBy(by, reason) });
    properties.moveApprovedBy = by;
  } catch (thrown) {
    const error = thrown instanceof CallFailed ? endOf(thrown) : undefined;
    if (!error) throw thrown;
    return database.goTo('WithdrawingRequest', { error });
  }
  await database.call(approvals.withdraw, { database: key, begunAt });
  return database.goTo('Moving');
};

export const withdrawRequest: Action<Database, 'withdrawRequest'> = async (database) => {
  const { key, properties } = database;
  await database.call(approvals.withdraw, { database: key, begunAt: properties.moveBegunAt });
  database.links.targetApplication = undefined;
  properties.moveBegunAt = undefined;
  return database.goTo('Ready');
};

function refusedBy(by: string, reason: string | undefined): TransitionError {
  return {
    answers: true,
    code: 'move_refused',
    message: `${by} has refused the move${reason === undefined ? '.' : `: ${reason}`}`,
  };
}

/** Gives the error that ends the wait for good. Anything else is a failure to ask, which is tried again. */
function endOf({ code, message }: CallFailed): TransitionError | undefined {
  if (code === 'refused') return { answers: true, code: 'move_refused', message: `The move was refused: ${message}` };
  if (code === 'call_revoked')
    return { answers: true, code: 'move_refused', message: 'An operator has revoked the request.' };
  if (code !== 'call_timed_out') return undefined;
  return { code: 'approval_timed_out', message: 'Nobody has approved the move in time. Ask for it again.' };
}
