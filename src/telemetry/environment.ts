import type { MetricsAddress } from './metrics-server.js';

/** The settings for the measures of a process. */
export interface MetricsSettings {
  /** The address at which the measures of the process are read; nowhere unless given. */
  readonly own?: MetricsAddress;
  /** The address (`host:port`) at which the measures of the Temporal SDK are read; nowhere unless given. */
  readonly temporal?: string;
}

/**
 * Reads the settings from the environment. `REEVE_METRICS_PORT` of a worker or `REEVE_API_METRICS_PORT` of the service and
 * `REEVE_METRICS_HOST` (default 127.0.0.1) are for its own measures, `REEVE_TEMPORAL_METRICS` (`host:port`) for those of the
 * Temporal SDK.
 * @throws when a value is not valid
 */
export function metricsSettingsFrom(
  env: NodeJS.ProcessEnv,
  name: 'REEVE_METRICS_PORT' | 'REEVE_API_METRICS_PORT',
): MetricsSettings {
  const port = env[name];
  const temporal = env['REEVE_TEMPORAL_METRICS'];
  if (port && !isPort(port)) {
    throw new Error(`${name} is '${port}', which is not a port. Write a number up to 65535.`);
  }
  if (temporal && !isPort(/^.+:(\d+)$/.exec(temporal)?.[1] ?? '')) {
    throw new Error(
      `REEVE_TEMPORAL_METRICS is '${temporal}', which is not an address. Write host and port, like 127.0.0.1:9464.`,
    );
  }
  return {
    ...(port && { own: { host: env['REEVE_METRICS_HOST'] || '127.0.0.1', port: Number(port), setting: name } }),
    ...(temporal && { temporal }),
  };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}
