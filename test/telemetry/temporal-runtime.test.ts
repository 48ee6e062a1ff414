import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { installRuntime } from '../../src/project/temporal-runtime.js';
import { serveMetrics } from '../../src/telemetry/metrics-server.js';

it('an address for the measures of the Temporal SDK that is taken is named with its setting (S5.5)', async () => {
  const first = await serveMetrics(new Registry(), { host: '127.0.0.1', port: 0 });
  onTestFinished(() => first.stop());
  const address = new URL(first.url).host;
  expect(() => installRuntime({}, address)).toThrow(
    new RegExp(
      `cannot be served at ${address}: .*ddress already in use.* set another address: REEVE_TEMPORAL_METRICS\\.$`,
    ),
  );
});
