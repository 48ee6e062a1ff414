import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { dataCluster } from '../values/data-cluster.js';
import { resourceName } from '../values/resource-name.js';

/** The key of a database: `orders.sales`. */
const database = z.string();

/** When the move began. It names the request: what is withdrawn stays so, also where a worker that was taken for dead asks late. */
const begunAt = z.iso.datetime();

/** A move that somebody has to decide about. */
const move = z.object({
  database,
  begunAt,
  server: resourceName,
  dataCluster,
  targetServer: resourceName,
  targetDataCluster: dataCluster,
});

/** The decisions that people outside have to make. Each database has one request at most. */
export const approvals = defineResource('approvals', {
  /** Asks those who decide whether a database may go to another data cluster. A1 */
  askForMove: {
    input: move,
    output: z.strictObject({
      approved: z.boolean(),
      /** Tells who has decided, in their own words. */
      by: z.string().min(1).max(100),
      reason: z.string().max(1_000).optional(),
    }),
    answer: 'callback',
    within: '2d',
    timeout: '10s',
    summary: 'ask whether {database} may go to {targetDataCluster}',
  },
  /** The request of a database is decided, or no longer wanted. */
  withdraw: {
    input: z.object({ database, begunAt: begunAt.optional() }),
    output: z.object({}),
    timeout: '10s',
    summary: 'withdraw the request to approve a move of {database}',
  },
});

export type Move = z.output<typeof move>;
