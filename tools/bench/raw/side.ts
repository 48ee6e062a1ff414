import { WithStartWorkflowOperation, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import type { Side, Work } from '../side.js';
import { runErrand } from '../own/run-errand.js';
import { Valves } from '../valves.js';
import type { BenchWorker } from '../worker.js';
import { install, overhaul, probe, repair, turn, value } from './messages.js';
import type { rawValve } from './workflows.js';

/** The side of raw Temporal: valves that are written by hand. */
export function rawSide(client: Client, worker: BenchWorker, taskQueue: string): Side {
  const valves = new Valves(client);
  const workflowId = (key: string) => `raw-valve-${key}`;
  const handle = (key: string) => client.workflow.getHandle<typeof rawValve>(workflowId(key));
  const options = (key: string) => ({ workflowId: valves.add(workflowId(key)), taskQueue });
  // By hand there is no operation that follows an event.
  const raise = (key: string, work: Work): Promise<number> => {
    if (work === 'turn') return handle(key).executeUpdate(turn, { args: [1] });
    const updates = { probe, overhaul, later: overhaul, operation: repair };
    return handle(key).executeUpdate(updates[work]);
  };
  return {
    name: 'raw',
    client,
    worker,
    workflowId,
    async start(key) {
      await client.workflow.start('rawValve', options(key));
    },
    async create(key) {
      const startWorkflowOperation = new WithStartWorkflowOperation('rawValve', {
        ...options(key),
        workflowIdConflictPolicy: 'FAIL',
      });
      await client.workflow.executeUpdateWithStart(turn, { args: [1], startWorkflowOperation });
    },
    async raise(key, work) {
      await raise(key, work);
      return [];
    },
    async reject(key) {
      const refused = await handle(key)
        .executeUpdate(install)
        .catch((thrown: unknown) => thrown);
      if (!(refused instanceof WorkflowUpdateFailedError)) throw new Error(`It was not rejected: ${String(refused)}`);
    },
    read: (key) => handle(key).query(value),
    errand: (id) => runErrand(client, taskQueue, id),
    clear: () => valves.end(),
  };
}
