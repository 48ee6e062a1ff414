import { getClient } from '@temporalio/activity';
import { Worker, type NativeConnection, type WorkflowBundleOption } from '@temporalio/worker';
import { DEFAULT_TASK_QUEUE, LAST_LIFE_ACTIVITY, type EntityRef } from '../protocol/names.js';
import { readLastLife } from './last-life.js';
import type { ImplementedResource } from './resources.js';

export interface EntityWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue?: string;
  /** Made by `bundleWorkflows`, or the path of a bundle made beforehand. */
  readonly workflowBundle: WorkflowBundleOption;
  readonly resources: readonly ImplementedResource[];
  /** Milliseconds that calls under way have to end when the worker is stopped. Default 10 s. */
  readonly shutdownGraceMs?: number;
}

/** A worker that runs entities, operations and resource calls. Start it with `run()`, end it with `shutdown()`. */
export function createWorker(options: EntityWorkerOptions): Promise<Worker> {
  return Worker.create({
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: options.taskQueue ?? DEFAULT_TASK_QUEUE,
    workflowBundle: options.workflowBundle,
    activities: Object.assign({ [LAST_LIFE_ACTIVITY]: lastLife }, ...options.resources) as object,
    shutdownGraceTime: options.shutdownGraceMs ?? 10_000,
  });
}

function lastLife(of: EntityRef) {
  return readLastLife(getClient(), of);
}
