import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { metricsSettingsFrom } from '../../src/telemetry/environment.js';
import { serveMetrics } from '../../src/telemetry/metrics-server.js';

it('addresses of measures are checked, each by its own name (S5.5)', () => {
  const read = (env: NodeJS.ProcessEnv) => metricsSettingsFrom(env, 'REEVE_METRICS_PORT');
  expect(read({ REEVE_METRICS_PORT: '9464', REEVE_TEMPORAL_METRICS: '[::1]:65535' })).toEqual({
    own: { host: '127.0.0.1', port: 9464, setting: 'REEVE_METRICS_PORT' },
    temporal: '[::1]:65535',
  });
  for (const port of ['99999', '65536', '-1', 'x', ''])
    expect(() => read({ REEVE_TEMPORAL_METRICS: `localhost:${port}` })).toThrow('REEVE_TEMPORAL_METRICS');
  expect(() => read({ REEVE_METRICS_PORT: '65536' })).toThrow('REEVE_METRICS_PORT');
});

it.each(['REEVE_METRICS_PORT', 'REEVE_API_METRICS_PORT'] as const)(
  'a port for measures that is taken is named, with %s, which sets another one (S5.5)',
  async (name) => {
    const first = await serveMetrics(new Registry(), { host: '127.0.0.1', port: 0 });
    onTestFinished(() => first.stop());
    const { port } = new URL(first.url);
    const { own } = metricsSettingsFrom({ [name]: port }, name);
    await expect(serveMetrics(new Registry(), own!)).rejects.toThrow(
      `The server of measures cannot listen on port ${port} of 127.0.0.1. Another program listens there. End it, or set ` +
        `another port: ${name}.`,
    );
  },
);
