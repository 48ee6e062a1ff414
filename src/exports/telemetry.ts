/*
 * `reeve/telemetry`: logs, metrics and traces of programs that run workers or services themselves. S5.5
 */
export { metricsSettingsFrom, type MetricsSettings } from '../telemetry/environment.js';
export { openLog } from '../telemetry/log.js';
export { serveMetrics, type MetricsAddress } from '../telemetry/metrics-server.js';
export { RecordMetrics } from '../telemetry/record-metrics.js';
export { observeRecords } from '../telemetry/record-observer.js';
export { measureRunningOperations } from '../telemetry/running-operations.js';
export { temporalLogger } from '../telemetry/temporal-logger.js';
export { traceCalls, traceRecords } from '../telemetry/tracing/trace-worker.js';
export { openTraces, type Traces } from '../telemetry/tracing/traces.js';
export { measureWriter } from '../telemetry/writer-metrics.js';
