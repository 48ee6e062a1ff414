import type { NativeConnection, WorkflowBundleOption } from '@temporalio/worker';
import { DEFAULT_TASK_QUEUE } from '../protocol/names.js';
import { workerConverter } from '../secrecy/data-converter.js';
import { UNENCRYPTED, type PayloadSettings } from '../secrecy/payload-settings.js';
import { CallServing, endsOf, limitsOf, type CallLimits, type Calls } from './call-workers.js';
import { EntityWorker } from './entity-worker.js';
import { EntityPlugin, type EntityPluginOptions } from './plugin.js';
import { runTogether } from './run-together.js';
import { runToEnd } from './unfinished-work.js';
import { workerSdk } from './worker-sdk.js';

/** How a worker reaches Temporal, and ends. */
interface OneWorker {
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** Sets how many milliseconds running calls have to end when the worker is stopped. Default 10 s. */
  readonly shutdownGraceMs?: number;
  /**
   * Sets how many milliseconds later `run()` throws `UnfinishedWorkError`, and only the end of the process ends what is left. Default
   * 10 s.
   */
  readonly forcedAfterMs?: number;
}

/** The settings of a worker that makes calls for entities of other workers. */
export interface CallWorkerOptions extends OneWorker, Calls {
  /** Sets how payloads are encrypted; clients of these entities need the same. Without it they are not. Q5 */
  readonly payloads?: PayloadSettings;
}

/** Holds what a worker serves, and how much of it at once. */
export interface EntityWorkerOptions
  extends OneWorker, Omit<EntityPluginOptions, 'declarations' | 'namespace'>, CallLimits {
  readonly taskQueue?: string;
  /** Made by `bundleWorkflows`, or the path of a bundle made beforehand. */
  readonly workflowBundle: WorkflowBundleOption;
  /**
   * Sets how many entities and operations stay in memory when they rest. Others are read again when they are needed. Default: as
   * many as fit.
   */
  readonly maxCached?: number;
}

/**
 * A worker that runs entities, operations and resource calls, with the keeper of its task queue. Start it with `run()`, end it
 * with `shutdown()`. For a worker that has workflows or activities of its own, use `ReevePlugin`.
 */
export async function createWorker(options: EntityWorkerOptions): Promise<EntityWorker> {
  const { connection, namespace, taskQueue = DEFAULT_TASK_QUEUE, workflowBundle, maxCached } = options;
  const ends = endsOf(options.shutdownGraceMs, options.forcedAfterMs);
  const plugin = new EntityPlugin(options);
  const worker = await workerSdk().Worker.create({
    ...{ connection, namespace, taskQueue, workflowBundle, ...limitsOf(options), ...ends },
    ...(maxCached !== undefined && { maxCachedWorkflows: maxCached }),
    plugins: [plugin],
  });
  return new EntityWorker([worker, ...plugin.callWorkers], async () => runToEnd(worker));
}

/**
 * A worker that makes resource calls alone, for entities of other workers: those of the task queues that it serves, and those that
 * are bound to it. A5
 */
export async function createCallWorker(options: CallWorkerOptions): Promise<EntityWorker> {
  const { connection, namespace, payloads = UNENCRYPTED } = options;
  const dataConverter = workerConverter(payloads, namespace);
  const ends = endsOf(options.shutdownGraceMs, options.forcedAfterMs);
  const around = { connection, namespace, dataConverter, ...ends };
  const workers = await new CallServing(options).workers(around);
  return new EntityWorker(workers, async () => runTogether(workers, runToEnd, []));
}
