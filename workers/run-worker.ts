import {
  GracefulShutdownPeriodExpiredError,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
} from '@temporalio/worker';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { findDatabase } from '../src/stack/database.js';
import { findService } from '../src/stack/service.js';
import { metricsSettingsFrom } from '../src/telemetry/environment.js';
import { openLog } from '../src/telemetry/log.js';
import { serveMetrics } from '../src/telemetry/metrics-server.js';
import { RecordMetrics } from '../src/telemetry/record-metrics.js';
import { observeRecords } from '../src/telemetry/record-observer.js';
import { temporalLogger } from '../src/telemetry/temporal-logger.js';
import { openTraces } from '../src/telemetry/tracing/traces.js';
import { traceCalls, traceRecords } from '../src/telemetry/tracing/trace-worker.js';
import { measureWriter } from '../src/telemetry/writer-metrics.js';
import { callbackSettingsFrom } from '../src/temporal/callback-address.js';
import type { ServedOperations } from '../src/temporal/distributed/activities.js';
import { needsNewWorker } from '../src/temporal/core-defects.js';
import type { ImplementedResource } from '../src/temporal/resources.js';
import { createWorker } from '../src/temporal/worker.js';
import { BUNDLE_PATH } from './bundle.js';
import { openControlPlaneStore } from './control-plane-store.js';
import { controlPlaneTaskQueue } from './task-queue.js';

/**
 * Runs a worker of the control plane until it gets SIGTERM or SIGINT. It takes no more work then, and ends when what is under way
 * has ended.
 */
export async function runWorker(
  resources: readonly ImplementedResource[],
  distributed?: ServedOperations,
): Promise<void> {
  const log = openLog('worker', process.env);
  const settings = metricsSettingsFrom(process.env, 'REEVE_METRICS_PORT');
  const broken = new AbortController();
  Runtime.install({
    logger: temporalLogger(log, 'WARN', (message) => {
      if (needsNewWorker(message)) broken.abort();
    }),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} },
      ...(settings.temporal && {
        metrics: { prometheus: { bindAddress: settings.temporal, useSecondsForDurations: true } },
      }),
    },
  });
  const callbacks = callbackSettingsFrom(process.env);
  const { connectionOptions, namespace } = await findService();
  const connection = await NativeConnection.connect(connectionOptions);
  const store = openControlPlaneStore(await findDatabase(), { warn: (message) => log.warn(message) });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureWriter(registry, store.writer);
  const traces = await openTraces('worker', process.env);
  const metrics = settings.own && (await serveMetrics(registry, settings.own));
  try {
    const worker = await createWorker({
      connection,
      namespace,
      taskQueue: await controlPlaneTaskQueue(),
      workflowBundle: { codePath: BUNDLE_PATH },
      resources,
      ...(callbacks && { callbacks }),
      ...(distributed && { distributed }),
      records: observeRecords(store.writer, [
        new RecordMetrics(registry).observe,
        ...(traces ? [traceRecords(traces)] : []),
      ]),
      ...(traces && { calls: traceCalls(traces) }),
    });
    broken.signal.addEventListener('abort', () => {
      log.error("the SDK's core has lost a place in its cache of entities, so this worker ends, to be started again");
      worker.shutdown();
    });
    await worker.run().catch((thrown: unknown) => {
      if (!(thrown instanceof GracefulShutdownPeriodExpiredError)) throw thrown;
      log.error('what is under way does not end, so the worker ends without it, and other workers do it again');
      process.exit(1);
    });
    if (broken.signal.aborted) process.exitCode = 1;
  } finally {
    await traces?.close();
    await metrics?.stop();
    await connection.close();
    await store.close();
  }
}
