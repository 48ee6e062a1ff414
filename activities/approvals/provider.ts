import type { ResourceImplementation } from '../../src/temporal/resources.js';
import type { approvals, Move } from './contract.js';
import type { RequestOutbox } from './request-outbox.js';

/**
 * Puts what is to be decided into the outbox, from where those who decide take it. The address to answer at is a secret: it goes
 * there and nowhere else. A1
 */
export function approvalProvider(outbox: RequestOutbox): ResourceImplementation<typeof approvals> {
  return {
    askForMove: async ({ begunAt, ...move }, { callback, operation }) =>
      outbox.put(move.database, begunAt, {
        question: questionOf(move),
        ...move,
        ...(operation !== undefined && { operation }),
        answerAt: callback.url,
        approve: { output: { approved: true, by: 'your name' } },
        refuse: { output: { approved: false, by: 'your name', reason: 'why not' } },
      }),
    withdraw: async ({ database, begunAt }) => {
      await outbox.remove(database, begunAt);
      return {};
    },
  };
}

function questionOf({ database, server, dataCluster, targetServer, targetDataCluster }: Omit<Move, 'begunAt'>): string {
  const where = targetServer === server ? '' : `, to the server '${targetServer}'`;
  return `May the database '${database}' go from the data cluster '${dataCluster}' to '${targetDataCluster}'${where}?`;
}
