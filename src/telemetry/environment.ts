import type { MetricsAddress } from './metrics-server.js';

/** What of the measures of a worker can be set. */
export interface MetricsSettings {
  /** Where the worker's measures are read; nowhere unless given. */
  readonly own?: MetricsAddress;
  /** `host:port` where those of the Temporal SDK are read; nowhere unless given. */
  readonly temporal?: string;
}

/**
 * `REEVE_METRICS_PORT` and `REEVE_METRICS_HOST` (default 127.0.0.1) for the worker's own measures,
 * `REEVE_TEMPORAL_METRICS` (`host:port`) for those of the Temporal SDK.
 * @throws when they are not right
 */
export function metricsSettingsFrom(env: NodeJS.ProcessEnv): MetricsSettings {
  const port = env['REEVE_METRICS_PORT'];
  const temporal = env['REEVE_TEMPORAL_METRICS'];
  if (port && !isPort(port)) {
    throw new Error(`REEVE_METRICS_PORT is '${port}', which is no port. Write a number up to 65535.`);
  }
  if (temporal && !/^.+:\d{1,5}$/.test(temporal)) {
    throw new Error(`REEVE_TEMPORAL_METRICS is '${temporal}'. Write host and port, like 127.0.0.1:9464.`);
  }
  return {
    ...(port && { own: { host: env['REEVE_METRICS_HOST'] || '127.0.0.1', port: Number(port) } }),
    ...(temporal && { temporal }),
  };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}
