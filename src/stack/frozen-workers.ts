import { hostname } from 'node:os';
import type { FrozenWorker } from '../client/frozen-workers.js';
import { placeTaskQueue } from '../protocol/distributed-names.js';
import { recordedProcesses } from './process-record.js';

/**
 * Finds the workers and executors of the stack of a data directory whose processes a signal or a debugger has stopped. None where no
 * stack is there, or its records cannot be read.
 * @param own the task queue that its workers serve
 */
export async function frozenWorkers(home: string, own: string): Promise<readonly FrozenWorker[]> {
  const children = await recordedProcesses(home).catch(() => []);
  return children.flatMap(({ name, pid, stand }) => {
    if (stand !== 'frozen') return [];
    const identity = `${pid}@${hostname()}`;
    if (name === 'executor')
      return [{ identity, serves: (queue: string) => queue.startsWith(placeTaskQueue(own, '')) }];
    // Those of older builds are named after them.
    return name === 'worker' || name.startsWith('worker-')
      ? [{ identity, serves: (queue: string) => queue === own }]
      : [];
  });
}
