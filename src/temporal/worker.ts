import { randomUUID } from 'node:crypto';
import { getClient } from '@temporalio/activity';
import type { InjectedSinks, NativeConnection, Worker, WorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import type { Affinity } from '../definition/affinity.js';
import { nextTick } from '../definition/calendar/next-tick.js';
import { toMilliseconds, type Duration } from '../definition/duration.js';
import {
  CONFIRM_ACTIVITY,
  DEFAULT_TASK_QUEUE,
  FIND_LOSSES_ACTIVITY,
  KEEP_ACTIVITY,
  LAST_LIFE_ACTIVITY,
  NEXT_TICKS_ACTIVITY,
  RECALL_ACTIVITY,
  TELL_LOSSES_ACTIVITY,
  type EntityRef,
} from '../protocol/names.js';
import type { TickQuestion } from '../kernel/index.js';
import { NOTHING_KNOWN } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { StoreRecord } from '../protocol/records.js';
import type { Resumption } from '../protocol/resumption.js';
import { workerConverter } from '../secrecy/data-converter.js';
import { UNENCRYPTED, type PayloadSettings } from '../secrecy/payload-settings.js';
import { activityLogAttributes } from './activity-log-attributes.js';
import type { CallEnvelope } from './call-envelope.js';
import type { CallbackSettings } from './callback-address.js';
import { encodingErrors } from './bundle.js';
import { observeCalls, type CallObserver } from './call-observer.js';
import { distributedActivities, type ServedOperations } from './distributed/activities.js';
import { findLosses } from './keeper/find-losses.js';
import type { UntoldLoss } from './keeper/progress.js';
import { startKeeper } from './keeper/start.js';
import { tellLosses } from './keeper/tell-losses.js';
import type { LossAnswer, LossQuestion } from './keeper/workflow.js';
import { readLastLife } from './last-life.js';
import { noteSchemasWhenKnown } from './note-schemas.js';
import type { RecordSinks } from './record-driver.js';
import type { RecordKeeper, RequestQuestion } from './record-keeper.js';
import { temporalClient } from './temporal-client.js';
import { EntityWorker } from './entity-worker.js';
import type { CallSurroundings, ImplementedResource } from './resources.js';
import { workerSdk } from './worker-sdk.js';
import { deploymentOptions, type WorkerVersion } from './worker-version.js';
import { watchingWorkflows } from './watch/watch-workflows.js';
import type { SignalRun } from './watch/watched-workflows.js';
import { askTransitions, Witness } from './witness.js';

/** Describes how many calls are made, where the defaults are not right: as many at once as Temporal's worker takes, which is 100. A5 */
export interface CallLimits {
  /** Shows how many calls of the task queue one worker makes at once. */
  readonly atOnce?: number;
  /** Shows how many calls of the task queue all its workers together begin in a second; may be a fraction. */
  readonly perSecond?: number;
}

/** A task queue of calls that the routes of the bundle name. A5 */
export interface ServedQueue extends CallLimits {
  readonly taskQueue: string;
}

/** The settings of a worker that makes calls for entities of other workers. */
export interface CallWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly resources: readonly ImplementedResource[];
  /** The task queues of calls that it serves, as `routes` of the bundle name them. A5 */
  readonly serves?: readonly ServedQueue[];
  /** Sets whether calls can be bound to this worker (`context.affinity()`). It serves a task queue of its own then. Default false. A5 */
  readonly affinity?: boolean;
  /** Sets how calls are answered from outside; needed where a call of its resources says `answer: 'callback'`. A1 */
  readonly callbacks?: CallbackSettings;
  /** Is told of each resource call. S5.5 */
  readonly calls?: CallObserver;
  /** Sets how payloads are encrypted; clients of these entities need the same. Without it they are not. Q5 */
  readonly payloads?: PayloadSettings;
  /** Sets how many milliseconds running calls have to end when the worker is stopped. Default 10 s. */
  readonly shutdownGraceMs?: number;
  /**
   * Sets how many milliseconds later `run()` throws `UnfinishedWorkError`, and only the end of the process ends what is left. Default
   * 10 s.
   */
  readonly forcedAfterMs?: number;
}

export interface EntityWorkerOptions extends CallWorkerOptions, CallLimits {
  readonly taskQueue?: string;
  /** Made by `bundleWorkflows`, or the path of a bundle made beforehand. */
  readonly workflowBundle: WorkflowBundleOption;
  /** The store for the records. Without one, they are dropped. */
  readonly records?: RecordKeeper;
  /**
   * Sets how many entities and operations stay in memory when they rest. Others are read again when they are needed. Default: as
   * many as fit.
   */
  readonly maxCached?: number;
  /** The operations over partitions that it serves, as `distributed` of the bundle declares them. Their jobs are done by executors. I8 */
  readonly distributed?: ServedOperations;
  /**
   * The version of its workflow code. With one, Temporal's Worker Versioning leads each run to workers of its own build, and
   * somebody has to say which build new runs get (`reeve rollout`). Without one, every worker takes every run. Q2
   */
  readonly version?: WorkerVersion;
  /** Sets how often the keeper asks which entities were ended by hand, as by `temporal workflow terminate`. Default 5 s. S4.4 */
  readonly lossesEvery?: Duration;
}

/**
 * After this time without an answer, in milliseconds, the entities of a worker are given to any other worker: it has died, or
 * has too much to do. An entity's history is short, so another worker takes it over at little cost.
 */
const LOST_WORKER_MS = 5_000;
/** How long the workflow code may take to load, in milliseconds. The SDK's own 5 s are short on a busy machine, or for a cold start. */
const LOADS_WITHIN_MS = 20_000;

/**
 * A worker that runs entities, operations and resource calls, with the keeper of its task queue. Start it with `run()`, end it
 * with `shutdown()`.
 */
export async function createWorker(options: EntityWorkerOptions): Promise<EntityWorker> {
  const { connection, namespace, taskQueue = DEFAULT_TASK_QUEUE, payloads = UNENCRYPTED } = options;
  const own = affinityOf(options);
  // Anyone who lacks the keys hears of it here, and not from the first task that fails.
  await payloads.keys?.current();
  const client = temporalClient({ connection, namespace, payloads });
  await startKeeper(client, taskQueue);
  const witness = options.records?.feed && new Witness(askTransitions(client), options.records.feed);
  const serving = await entityServing(options, own, witness);
  const signalRun: SignalRun = async ({ workflowId, runId }, signal, args) =>
    client.workflow.getHandle(workflowId, runId).signal(signal, ...args);
  const entities = await watchingWorkflows(signalRun, () => workerSdk().Worker.create({ connection, ...serving }));
  const { version } = options;
  return new EntityWorker(
    [entities, ...(await callWorkers(options, own))],
    [
      ...(witness ? [(ended: AbortSignal) => witness.run(ended)] : []),
      ...(version ? [(ended: AbortSignal) => noteSchemasWhenKnown(client, version, ended)] : []),
    ],
  );
}

/** Makes what Temporal's worker needs to run entities, operations and calls. */
async function entityServing(
  options: EntityWorkerOptions,
  own: Affinity | undefined,
  witness: Witness | undefined,
): Promise<Omit<WorkerOptions, 'connection'>> {
  const {
    taskQueue = DEFAULT_TASK_QUEUE,
    workflowBundle,
    distributed,
    records,
    maxCached,
    version,
    payloads,
  } = options;
  return {
    ...callServing(options, { taskQueue, ...limitsOf(options) }, own),
    workflowBundle: payloads?.keys ? await encodingErrors(workflowBundle) : workflowBundle,
    activities: {
      ...ownActivities(options),
      ...(distributed && distributedActivities(distributed)),
      ...activitiesOf(options, own),
    },
    sinks: recordSinks(records, witness),
    ...(maxCached !== undefined && { maxCachedWorkflows: maxCached }),
    stickyQueueScheduleToStartTimeout: LOST_WORKER_MS,
    // The SDK has this setting, and leaves it out of its types.
    ...({ isolateExecutionTimeout: LOADS_WITHIN_MS } as object),
    ...(version && { workerDeploymentOptions: deploymentOptions(version) }),
  };
}

/**
 * A worker that makes resource calls alone, for entities of other workers: those of the task queues that it serves, and those that
 * are bound to it. A5
 */
export async function createCallWorker(options: CallWorkerOptions): Promise<EntityWorker> {
  return new EntityWorker(await callWorkers(options, affinityOf(options)));
}

/** One of Temporal's workers for each task queue of calls. */
async function callWorkers(options: CallWorkerOptions, own: Affinity | undefined): Promise<readonly Worker[]> {
  const { serves = [] } = options;
  const queues: readonly ServedQueue[] = own ? [...serves, { taskQueue: own.worker }] : serves;
  const { connection } = options;
  const { Worker } = workerSdk();
  return Promise.all(queues.map((queue) => Worker.create({ connection, ...callServing(options, queue, own) })));
}

/** The name of this start, which is that of a task queue of its own. */
function affinityOf({ affinity = false }: CallWorkerOptions): Affinity | undefined {
  return affinity ? { worker: `reeve/worker/${randomUUID()}` } : undefined;
}

function limitsOf({ atOnce, perSecond }: CallLimits): CallLimits {
  return { ...(atOnce !== undefined && { atOnce }), ...(perSecond !== undefined && { perSecond }) };
}

function callServing(
  options: Omit<CallWorkerOptions, 'connection'>,
  { taskQueue, atOnce, perSecond }: ServedQueue,
  own: Affinity | undefined,
): Omit<WorkerOptions, 'connection'> {
  const { namespace, payloads = UNENCRYPTED, shutdownGraceMs: graceMs = 10_000, forcedAfterMs = 10_000 } = options;
  return {
    ...{ namespace, taskQueue, dataConverter: workerConverter(payloads, namespace) },
    activities: activitiesOf(options, own),
    interceptors: { activity: [activityLogAttributes, ...(options.calls ? [observeCalls(options.calls)] : [])] },
    ...(atOnce !== undefined && { maxConcurrentActivityTaskExecutions: atOnce }),
    ...(perSecond !== undefined && { maxTaskQueueActivitiesPerSecond: perSecond }),
    shutdownGraceTime: graceMs,
    // Without this, a task that never ends would keep the process up for ever.
    shutdownForceTime: graceMs + forcedAfterMs,
  };
}

/** The activities of all resources, which know the worker that makes them. */
function activitiesOf(
  { resources, callbacks }: Pick<CallWorkerOptions, 'resources' | 'callbacks'>,
  affinity: Affinity | undefined,
): object {
  const worker: CallSurroundings = { callbacks, affinity };
  const calls = resources.flatMap((resource) => Object.entries(resource));
  return Object.fromEntries(calls.map(([name, run]) => [name, (envelope: CallEnvelope) => run(envelope, worker)]));
}

function ownActivities({ records, lossesEvery = '5s' }: Pick<EntityWorkerOptions, 'records' | 'lossesEvery'>) {
  return {
    [LAST_LIFE_ACTIVITY]: (of: EntityRef) => readLastLife(getClient(), of),
    [NEXT_TICKS_ACTIVITY]: async (questions: readonly TickQuestion[]) =>
      questions.map(({ after, ...calendar }) => nextTick(calendar, after)),
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

function recordSinks(records: RecordKeeper | undefined, witness: Witness | undefined): InjectedSinks<RecordSinks> {
  const offer = (_: unknown, offered: readonly StoreRecord[]) => {
    records?.offer(offered);
    witness?.note(offered);
  };
  const resume = (_: unknown, resumption: Resumption) => records?.resume(resumption);
  return {
    reeve: { offer: { fn: offer, callDuringReplay: false }, resume: { fn: resume, callDuringReplay: false } },
  };
}
