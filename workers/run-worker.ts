import { NativeConnection, Runtime } from '@temporalio/worker';
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
import type { ImplementedResource } from '../src/temporal/resources.js';
import { createWorker } from '../src/temporal/worker.js';
import { BUNDLE_PATH } from './bundle.js';
import { openControlPlaneStore } from './control-plane-store.js';
import { controlPlaneTaskQueue } from './task-queue.js';

/**
 * Runs a worker of the control plane until it gets SIGTERM or SIGINT; then it takes no more work, and ends when what is
 * under way has ended.
 */
export async function runWorker(resources: readonly ImplementedResource[]): Promise<void> {
  const log = openLog('worker', process.env);
  const settings = metricsSettingsFrom(process.env, 'REEVE_METRICS_PORT');
  Runtime.install({
    logger: temporalLogger(log),
    ...(settings.temporal && {
      telemetryOptions: { metrics: { prometheus: { bindAddress: settings.temporal, useSecondsForDurations: true } } },
    }),
  });
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
      records: observeRecords(store.writer, [
        new RecordMetrics(registry).observe,
        ...(traces ? [traceRecords(traces)] : []),
      ]),
      ...(traces && { calls: traceCalls(traces) }),
    });
    await worker.run();
  } finally {
    await traces?.close();
    await metrics?.stop();
    await connection.close();
    await store.close();
  }
}
