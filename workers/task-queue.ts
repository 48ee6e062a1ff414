import { fileURLToPath } from 'node:url';
import { findTaskQueue } from '../src/cli/task-queue.js';

/** The task queue of the reference control plane, as its package.json names it, wherever its processes are started. */
export function controlPlaneTaskQueue(): Promise<string> {
  return findTaskQueue(process.env, fileURLToPath(new URL('.', import.meta.url)));
}
