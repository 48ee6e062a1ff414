import type { Logger } from 'pino';
import { setTimeout as delay } from 'node:timers/promises';
import { findCallbacks } from '../stack/callbacks.js';
import { findDatabase } from '../stack/database.js';
import { findService } from '../stack/service.js';
import { stopAll } from '../stack/stop-all.js';
import { openLog } from '../telemetry/log.js';
import { temporalLogger } from '../telemetry/temporal-logger.js';
import { openTraces } from '../telemetry/tracing/traces.js';
import { traceCalls, traceRecords } from '../telemetry/tracing/trace-worker.js';
import { observeRecords } from '../telemetry/record-observer.js';
import {
  CONNECTS_WITHIN_MS,
  FLUSH_MS,
  FORCED_AFTER_MS,
  GRACE_MS,
  workLeft,
} from '../temporal/lambda/invocation-time.js';
import { misfits } from '../temporal/lambda/misfits.js';
import { contractOf, type ImplementedResource } from '../temporal/resources.js';
import { UnfinishedWorkError } from '../temporal/unfinished-work.js';
import { createWorker, type EntityWorkerOptions } from '../temporal/worker.js';
import { workerSdk } from '../temporal/worker-sdk.js';
import { buildFrom, versionFrom } from '../temporal/worker-version.js';
import type { OpenWorker, WorkerParts } from './hooks.js';
import { refusedSettings, sharedDataDirectory } from './lambda-settings.js';
import { compareParts } from './parts.js';
import { openContext } from './process-context.js';
import type { Project } from './project.js';
import { together } from './project-error.js';
import { openProjectStore } from './project-store.js';
import { startProviders } from './providers.js';
import { installRuntime } from './temporal-runtime.js';

/*
 * lambda.1. No memory is used by two invocations: each has its own connection, worker, providers and store.
 * lambda.2. An invocation ends only after the store has taken what its workflows have told, or has refused it. What it refuses, the
 *     entities bring again.
 */

/** The part of the platform's context of an invocation that is used. */
export interface Invocation {
  getRemainingTimeInMillis(): number;
}

/** The function that AWS Lambda calls for each invocation. */
export type LambdaHandler = (event: unknown, invocation: Invocation) => Promise<void>;

/** How often the keeper asks for losses by itself: each time costs an invocation, and the management service wakes it. S4.4 */
const LOSSES_EVERY = '1h';
/** An invocation is small. What it has no room for waits for the next one, which the Worker Controller begins. */
const SIZES = { atOnce: 10, maxCached: 100 };

/** The parts that all invocations share. */
interface Function {
  readonly project: Project;
  readonly named: readonly ImplementedResource[];
  readonly opening: OpenWorker | undefined;
  readonly log: Logger;
  /** The settings of each worker. */
  readonly usual: Pick<EntityWorkerOptions, 'taskQueue' | 'workflowBundle'> &
    Required<Pick<EntityWorkerOptions, 'version'>> &
    Partial<Pick<EntityWorkerOptions, 'callbacks'>>;
}

/**
 * Makes the handler of a function of AWS Lambda that is a worker of a project for the time of one invocation. Temporal's Worker Controller
 * invokes it when tasks wait. What a worker serves is versioned: REEVE_BUILD names the build, and else the hash of the workflow code does. Q3
 * @param open takes the place of what the project's package.json names as `worker`
 * @throws ProjectError with all that is wrong in the project, and Error with all settings that do not fit; the handler throws where a call
 *     does not fit into the time of an invocation
 */
export async function lambdaHandler(project: Project, open?: OpenWorker): Promise<LambdaHandler> {
  refuse(refusedSettings(process.env));
  const [codePath, named, opening, { entities }] = await together([
    project.builtBundle(),
    project.resources(),
    open ?? project.openWorker(),
    project.declared(),
    compareParts(project),
  ]);
  const log = openLog('lambda', process.env);
  const { makeTelemetryFilterString } = workerSdk();
  const logging = { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} };
  installRuntime(
    { logger: temporalLogger(log, 'WARN'), telemetryOptions: { logging }, shutdownSignals: [] },
    undefined,
  );
  const taskQueue = project.taskQueue();
  const workflowBundle = { codePath };
  const env = buildFrom(process.env) ? process.env : { ...process.env, REEVE_BUILD: 'auto' };
  const version = (await versionFrom(env, taskQueue, workflowBundle, entities))!;
  const callbacks = await findCallbacks();
  const usual = { taskQueue, workflowBundle, version, ...(callbacks && { callbacks }) };
  log.info({ taskQueue, deployment: version.deployment, build: version.build }, 'ready for invocations');
  return (_event, invocation) => invoke({ project, named, opening, log, usual }, invocation);
}

async function invoke(of: Function, invocation: Invocation): Promise<void> {
  const { log } = of;
  const undo: (() => Promise<void>)[] = [];
  try {
    await work(of, invocation, undo).finally(() =>
      within(FLUSH_MS, stopAll(undo), 'The store has not taken the last records'),
    );
  } catch (thrown) {
    if (!(thrown instanceof UnfinishedWorkError)) throw thrown;
    // Unfinished work would continue in the next invocation.
    log.error(thrown.message);
    process.exit(1);
  }
}

/** @param undo takes what gives everything back */
async function work(of: Function, invocation: Invocation, undo: (() => Promise<void>)[]): Promise<void> {
  const { project, named, opening, log, usual } = of;
  const invocationMs = invocation.getRemainingTimeInMillis();
  const { connectionOptions, ...location } = await findService();
  const { namespace, payloads } = location;
  // Finds out, with a clear error and in time, whether Temporal can be reached: the worker's own connection tries for longer.
  const inTime = { ...connectionOptions, connectTimeout: CONNECTS_WITHIN_MS };
  const context = await openContext(project, { ...location, connectionOptions: inTime }, log);
  undo.push(() => context.close());
  const connection = await workerSdk().NativeConnection.connect(connectionOptions);
  undo.push(() => connection.close());
  const store = await openProjectStore(project, await findDatabase(), { warn: (message) => log.warn(message) });
  undo.push(() => store.close());
  const traces = await openTraces('lambda', process.env);
  if (traces) undo.push(() => traces.close());
  const providers = named.length === 0 ? undefined : startProviders(project, log);
  if (providers) undo.push(() => providers.close());
  const { reeve } = context;
  const {
    resources = [],
    close,
    ...parts
  } = (await opening?.({
    reeve,
    log,
    get dataDirectory() {
      return sharedDataDirectory(process.env);
    },
  })) ?? {};
  if (close) undo.push(async () => close());
  const implemented = [...named, ...resources];
  refuse([
    ...otherQueues(parts),
    ...misfits(
      implemented.flatMap((each) => contractOf(each) ?? []),
      invocationMs,
    ),
  ]);
  await compareParts(project, implemented);
  const worker = await createWorker({
    ...SIZES,
    ...parts,
    ...usual,
    ...{ connection, namespace, payloads, lossesEvery: LOSSES_EVERY },
    ...{ shutdownGraceMs: GRACE_MS, forcedAfterMs: FORCED_AFTER_MS },
    resources: [...(providers?.serve(named) ?? []), ...resources],
    records: observeRecords(store.writer, traces ? [traceRecords(traces)] : []),
    ...(traces && { calls: traceCalls(traces) }),
  });
  const leftMs = invocation.getRemainingTimeInMillis();
  const end = setTimeout(() => worker.shutdown(), workLeft(leftMs));
  const running = worker.run().finally(() => clearTimeout(end));
  // Whatever happens in it, there is time to write.
  await within(leftMs - FLUSH_MS, running, 'The worker has not ended');
}

/** A queue of a worker's own is gone with it, and nobody invokes the function for other ones. */
function otherQueues({ affinity, serves = [] }: WorkerParts): readonly string[] {
  const how = [...(affinity ? ['affinity: true'] : []), ...(serves.length > 0 ? ['serves'] : [])];
  return how.map(
    (what) =>
      `The project's worker uses '${what}', but an invocation serves one task queue. Use workers in containers for that.`,
  );
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  throw new Error(`This cannot run in AWS Lambda:\n${reasons.map((reason) => `- ${reason}`).join('\n')}`);
}

/** @throws Error when the work takes longer; what comes of it later is not waited for */
async function within(limitMs: number, work: Promise<void>, what: string): Promise<void> {
  const over = new AbortController();
  const late = delay(limitMs, 'late' as const, { signal: over.signal }).catch(() => undefined);
  work.catch(() => undefined);
  try {
    const first = await Promise.race([work, late]);
    if (first === 'late') throw new Error(`${what} within ${(limitMs / 1_000).toFixed(1)} s.`);
  } finally {
    over.abort();
  }
}
