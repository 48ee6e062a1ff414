import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { databaseProvider } from '../../activities/databases/provider.js';
import { endInstances } from '../../activities/host/end-instances.js';
import { HostClient } from '../../activities/host/client.js';
import { resourcesFolder } from '../../activities/host/host-file.js';
import { runningPid } from '../../src/stack/postgres.js';
import { HostProcess } from '../support/host-process.js';
import { until } from '../support/until.js';

const nowhere = (): never => {
  throw new Error('no address is expected');
};
const context = {
  ...{ idempotencyKey: 'k', attempt: 1, signal: new AbortController().signal },
  ...{ heartbeat: () => undefined, addressOf: nowhere, affinity: nowhere },
};

it('no instance is left behind, also where the resource host is killed, or stopped while it starts (S6.4)', async () => {
  const home = await mkdtemp(join(tmpdir(), 'reeve-left-'));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  onTestFinished(() => endInstances(home));
  const names = ['orders', 'archive'];
  const pids = () =>
    Promise.all(names.map((name) => runningPid(join(resourcesFolder(home), 'instances', 'main', name))));

  const host = await HostProcess.start(home);
  const databases = databaseProvider(new HostClient(home));
  for (const application of names) await databases.createInstance({ application, dataCluster: 'main' }, context);
  await host.kill('SIGKILL');
  expect(await pids()).not.toContain(undefined);
  await endInstances(home);
  expect(await pids()).toEqual([undefined, undefined]);

  const starting = HostProcess.spawn(home);
  await until(async () => expect((await pids()).some((pid) => pid !== undefined)).toBe(true));
  await starting.kill('SIGTERM');
  expect(await pids()).toEqual([undefined, undefined]);
});
