import { expect, it } from 'vitest';
import { Box } from '../entities/box.js';
import { Subscriber } from '../entities/subscriber.js';
import { versionFrom } from '../../src/temporal/worker-version.js';

const bundle = { code: 'export const workflow = 1;' };

it.each([
  ['none, as long as nobody names a build', {}, undefined],
  ['that of the task queue and the code', { REEVE_BUILD: 'auto' }, { deployment: 'my-queue', build: '0fab57a55e14' }],
  ['the named one', { REEVE_BUILD: 'b7', REEVE_DEPLOYMENT: 'shop' }, { deployment: 'shop', build: 'b7' }],
  [
    "that of Temporal's Worker Controller",
    { TEMPORAL_WORKER_BUILD_ID: 'b8', TEMPORAL_DEPLOYMENT_NAME: 'shop' },
    { deployment: 'shop', build: 'b8' },
  ],
  [
    "the named one, before that of Temporal's Worker Controller",
    { REEVE_BUILD: 'b9', TEMPORAL_WORKER_BUILD_ID: 'b8', TEMPORAL_DEPLOYMENT_NAME: 'shop' },
    { deployment: 'shop', build: 'b9' },
  ],
] as const)('the version of a worker is %s (Q2, Q3)', async (_, env, expected) => {
  const schemas = { Subscriber: { schema: 3, backTo: 1 }, Box: { schema: 1, backTo: 1 } };
  const version = await versionFrom(env, 'my.queue', bundle, [Subscriber, Box]);
  expect(version).toEqual(expected && { ...expected, schemas });
});
