import type { Connection } from '@temporalio/client';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Logger } from 'pino';
import { BuildRouting } from '../rollout/index.js';
import { findCallbacks } from '../stack/callbacks.js';
import { findDatabase } from '../stack/database.js';
import { findService, type ServiceLocation } from '../stack/service.js';
import { metricsSettingsFrom } from '../telemetry/environment.js';
import { openLog } from '../telemetry/log.js';
import { serveMetrics } from '../telemetry/metrics-server.js';
import { RecordMetrics } from '../telemetry/record-metrics.js';
import { observeRecords } from '../telemetry/record-observer.js';
import { temporalLogger } from '../telemetry/temporal-logger.js';
import { openTraces } from '../telemetry/tracing/traces.js';
import { traceCalls, traceRecords } from '../telemetry/tracing/trace-worker.js';
import { measureWriter } from '../telemetry/writer-metrics.js';
import { needsNewWorker } from '../temporal/core-defects.js';
import type { EntityWorker } from '../temporal/entity-worker.js';
import { temporalClient } from '../temporal/temporal-client.js';
import { createWorker } from '../temporal/worker.js';
import { workerSdk } from '../temporal/worker-sdk.js';
import { buildOf, deploymentFrom, versionFrom } from '../temporal/worker-version.js';
import { BUNDLE_VARIABLE } from './kept-builds.js';
import type { OpenWorker, WorkerParts } from './hooks.js';
import { compareParts } from './parts.js';
import { openContext } from './process-context.js';
import type { Project } from './project.js';
import { together } from './project-error.js';
import { openProjectStore } from './project-store.js';
import { startProviders } from './providers.js';
import { installRuntime } from './temporal-runtime.js';
import { exitWhereUnfinished } from './unfinished.js';

/**
 * Runs a worker of a project until it gets SIGTERM or SIGINT. It takes no more work then, and ends when what is under way has ended.
 * @param open takes the place of what the project's package.json names as `worker`
 * @returns the exit code: 1 where the worker has to be started again
 * @throws ProjectError with all that is wrong in the project
 */
export async function runWorker(project: Project, open?: OpenWorker): Promise<number> {
  const [bundle, named, opening, declared] = await together([
    project.builtBundle(),
    project.resources(),
    open ?? project.openWorker(),
    project.declared(),
    compareParts(project),
  ]);
  const log = openLog('worker', process.env);
  const settings = metricsSettingsFrom(process.env, 'REEVE_METRICS_PORT');
  const broken = new AbortController();
  const logger = temporalLogger(log, 'WARN', (message) => {
    if (needsNewWorker(message)) broken.abort();
  });
  const { makeTelemetryFilterString, NativeConnection } = workerSdk();
  const logging = { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} };
  installRuntime({ logger, telemetryOptions: { logging } }, settings.temporal);
  const callbacks = await findCallbacks();
  const location = await findService();
  const { connectionOptions, namespace, payloads } = location;
  // First, since this connection says what is wrong, and the worker's own does not.
  const context = await openContext(project, location, log);
  const connection = await NativeConnection.connect(connectionOptions);
  const store = await openProjectStore(project, await findDatabase(), { warn: (message) => log.warn(message) });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureWriter(registry, store.writer);
  const traces = await openTraces('worker', process.env);
  let worker: EntityWorker | undefined;
  const providers = named.length === 0 ? undefined : startProviders(project, log);
  const metrics = settings.own && (await serveMetrics(registry, settings.own, () => worker?.isRunning ?? false));
  let close: WorkerParts['close'];
  try {
    const { resources = [], ...parts } = (await opening?.(context)) ?? {};
    close = parts.close;
    const served = [...(providers?.serve(named) ?? []), ...resources];
    await compareParts(project, served);
    const taskQueue = project.taskQueue();
    const codePath = process.env[BUNDLE_VARIABLE] || bundle;
    const isDeclared = codePath === bundle || (await buildOf({ codePath })) === (await buildOf({ codePath: bundle }));
    const version = await versionFrom(process.env, taskQueue, { codePath }, isDeclared ? declared.entities : undefined);
    worker = await createWorker({
      ...parts,
      connection,
      namespace,
      payloads,
      taskQueue,
      workflowBundle: { codePath },
      ...(version && { version }),
      resources: served,
      ...(callbacks && { callbacks }),
      records: observeRecords(store.writer, [
        new RecordMetrics(registry).observe,
        ...(traces ? [traceRecords(traces)] : []),
      ]),
      ...(traces && { calls: traceCalls(traces) }),
    });
    broken.signal.addEventListener('abort', () => {
      log.error("the SDK's core has lost a place in its cache of entities, so this worker ends, to be started again");
      worker?.shutdown();
    });
    if (!version) await warnWhereBuildsAreNamed(context.connection, location, taskQueue, log);
    log.info({ taskQueue, ...(version && { deployment: version.deployment, build: version.build }) }, 'serving');
    await worker.run().catch(exitWhereUnfinished(log));
    return broken.signal.aborted ? 1 : 0;
  } finally {
    await close?.();
    await providers?.close();
    await context.close();
    await traces?.close();
    await metrics?.stop();
    await connection.close();
    await store.close();
  }
}

/** Temporal leads no workflow to a worker without a build where new runs begin on one. */
async function warnWhereBuildsAreNamed(
  connection: Connection,
  { namespace, payloads }: ServiceLocation,
  taskQueue: string,
  log: Logger,
): Promise<void> {
  const routing = new BuildRouting(
    temporalClient({ connection, namespace, payloads }),
    deploymentFrom(process.env, taskQueue),
  );
  const { current } = (await routing.read()) ?? {};
  if (current === undefined) return;
  log.warn(
    `this worker reports no build, but new executions of '${routing.deployment}' begin on the build ${current}, so it gets no workflows: ` +
      `set REEVE_BUILD=auto`,
  );
}
