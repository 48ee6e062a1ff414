import { getClient } from '@temporalio/activity';
import { Worker, type InjectedSinks, type NativeConnection, type WorkflowBundleOption } from '@temporalio/worker';
import { toMilliseconds, type Duration } from '../definition/duration.js';
import {
  CONFIRM_ACTIVITY,
  DEFAULT_TASK_QUEUE,
  FIND_LOSSES_ACTIVITY,
  KEEP_ACTIVITY,
  LAST_LIFE_ACTIVITY,
  RECALL_ACTIVITY,
  TELL_LOSSES_ACTIVITY,
  type EntityRef,
} from '../protocol/names.js';
import { NOTHING_KNOWN } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { StoreRecord } from '../protocol/records.js';
import { activityLogAttributes } from './activity-log-attributes.js';
import type { CallEnvelope } from './call-envelope.js';
import type { CallbackSettings } from './callback-address.js';
import { observeCalls, type CallObserver } from './call-observer.js';
import { findLosses } from './keeper/find-losses.js';
import type { UntoldLoss } from './keeper/progress.js';
import { startKeeper } from './keeper/start.js';
import { tellLosses } from './keeper/tell-losses.js';
import type { LossAnswer, LossQuestion } from './keeper/workflow.js';
import { readLastLife } from './last-life.js';
import type { RecordSinks } from './record-driver.js';
import type { RecordKeeper, RequestQuestion } from './record-keeper.js';
import type { ImplementedResource } from './resources.js';

export interface EntityWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue?: string;
  /** Made by `bundleWorkflows`, or the path of a bundle made beforehand. */
  readonly workflowBundle: WorkflowBundleOption;
  readonly resources: readonly ImplementedResource[];
  /** The store for the records. Without one, they are dropped. */
  readonly records?: RecordKeeper;
  /** How calls are answered from outside; needed where a call of its resources says `answer: 'callback'`. A1 */
  readonly callbacks?: CallbackSettings;
  /** Is told of each resource call. S5.5 */
  readonly calls?: CallObserver;
  /**
   * How many entities and operations stay in memory when they rest. Others are read again when they are needed. Default: as
   * many as fit.
   */
  readonly maxCached?: number;
  /**
   * How many milliseconds running calls have to end when the worker is stopped. Default 10 s. 10 s later `run()` throws
   * `GracefulShutdownPeriodExpiredError`, and only the end of the process ends what is left.
   */
  readonly shutdownGraceMs?: number;
  /** How often the keeper asks which entities were ended by hand, as by `temporal workflow terminate`. Default 5 s. S4.4 */
  readonly lossesEvery?: Duration;
}

/**
 * After this time without an answer, in milliseconds, the entities of a worker are given to any other worker: it has died, or
 * has too much to do. An entity's history is short, so another worker takes it over at little cost.
 */
const LOST_WORKER_MS = 5_000;
/** How long after the grace a stopped worker ends in any case, in milliseconds. */
const FORCED_AFTER_MS = 10_000;

/**
 * A worker that runs entities, operations and resource calls, with the keeper of its task queue. Start it with `run()`, end it
 * with `shutdown()`.
 */
export async function createWorker(options: EntityWorkerOptions): Promise<Worker> {
  const { connection, namespace, taskQueue = DEFAULT_TASK_QUEUE, shutdownGraceMs: graceMs = 10_000 } = options;
  await startKeeper(connection, namespace, taskQueue);
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: options.workflowBundle,
    activities: Object.assign(
      ownActivities(options),
      ...options.resources.map(withAddresses(options.callbacks)),
    ) as object,
    sinks: recordSinks(options.records),
    interceptors: { activity: [activityLogAttributes, ...(options.calls ? [observeCalls(options.calls)] : [])] },
    ...(options.maxCached !== undefined && { maxCachedWorkflows: options.maxCached }),
    stickyQueueScheduleToStartTimeout: LOST_WORKER_MS,
    shutdownGraceTime: graceMs,
    // Without this, a task that never ends would keep the process up for ever.
    shutdownForceTime: graceMs + FORCED_AFTER_MS,
  });
}

/** The activities of a resource, which know how they are answered from outside. */
function withAddresses(callbacks: CallbackSettings | undefined) {
  return (resource: ImplementedResource) =>
    Object.fromEntries(
      Object.entries(resource).map(
        ([name, run]) => [name, (envelope: CallEnvelope) => run(envelope, callbacks)] as const,
      ),
    );
}

function ownActivities({ records, lossesEvery = '5s' }: EntityWorkerOptions) {
  return {
    [LAST_LIFE_ACTIVITY]: (of: EntityRef) => readLastLife(getClient(), of),
    [CONFIRM_ACTIVITY]: async (names: RecordNames) => (await records?.confirm(names)) ?? [],
    [RECALL_ACTIVITY]: async (question: RequestQuestion) => (await records?.recall(question)) ?? NOTHING_KNOWN,
    [KEEP_ACTIVITY]: async (kept: readonly StoreRecord[]) => records?.keep(kept),
    [FIND_LOSSES_ACTIVITY]: async (question: LossQuestion): Promise<LossAnswer> => ({
      ...(await findLosses(getClient(), question)),
      pauseMs: toMilliseconds(lossesEvery),
    }),
    [TELL_LOSSES_ACTIVITY]: (losses: readonly UntoldLoss[]) => tellLosses(getClient(), losses),
  };
}

function recordSinks(records: RecordKeeper | undefined): InjectedSinks<RecordSinks> {
  const offer = (_: unknown, offered: readonly StoreRecord[]) => records?.offer(offered);
  return { reeve: { offer: { fn: offer, callDuringReplay: false } } };
}
