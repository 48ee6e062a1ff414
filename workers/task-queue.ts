import { fileURLToPath } from 'node:url';
import { findTaskQueue } from '../src/cli/task-queue.js';

/**
 * The task queue of the reference control plane. Its package.json names it, so it is the same wherever its processes are started.
 */
export function controlPlaneTaskQueue(): Promise<string> {
  return findTaskQueue(process.env, fileURLToPath(new URL('.', import.meta.url)));
}
