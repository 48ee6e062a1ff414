import { expect, it } from 'vitest';
import { metricsSettingsFrom } from '../../src/telemetry/environment.js';

it('addresses of measures are checked, each by its own name (S5.5)', () => {
  const read = (env: NodeJS.ProcessEnv) => metricsSettingsFrom(env, 'REEVE_METRICS_PORT');
  expect(read({ REEVE_METRICS_PORT: '9464', REEVE_TEMPORAL_METRICS: '[::1]:65535' })).toEqual({
    own: { host: '127.0.0.1', port: 9464 },
    temporal: '[::1]:65535',
  });
  for (const port of ['99999', '65536', '-1', 'x', ''])
    expect(() => read({ REEVE_TEMPORAL_METRICS: `localhost:${port}` })).toThrow('REEVE_TEMPORAL_METRICS');
  expect(() => read({ REEVE_METRICS_PORT: '65536' })).toThrow('REEVE_METRICS_PORT');
});
