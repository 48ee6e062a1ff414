import { Worker, type WorkerOptions } from '@temporalio/worker';
import { ReevePlugin } from 'reeve/plugin';
import { fileURLToPath } from 'node:url';
import * as activities from './activities.js';
import { Seat } from './seat.js';

/** Your worker, with one line more: the plugin. `code` are its workflows, as a path or as a bundle that was made beforehand. */
export async function theatreWorker(
  code: Pick<WorkerOptions, 'workflowsPath' | 'workflowBundle'>,
  at: Pick<WorkerOptions, 'connection' | 'namespace'>,
): Promise<Worker> {
  const declarations = [fileURLToPath(new URL('seat.js', import.meta.url))];
  return Worker.create({
    ...{ ...code, ...at, taskQueue: 'theatre', activities },
    plugins: [new ReevePlugin({ entities: [Seat], resources: [], declarations })],
  });
}
