import { afterEach, expect, it, vi } from 'vitest';
import { prepareStore } from '../../src/project/prepare-store.js';
import { controlPlaneProject } from '../../workers/project.js';
import { store } from '../../src/cli/doctor/store.js';
import { withOwnStore } from '../../src/cli/store-session.js';
import type { StoreReader } from '../../src/store/index.js';
import { useMortalServer } from '../store/server.js';

const server = useMortalServer();
afterEach(() => void vi.unstubAllEnvs());

const count = (reader: StoreReader) => reader.selectFrom('entities').selectAll().execute();

it.each([
  ['is not there', 'database "nowhere" does not exist', async () => new URL('/nowhere', await server.database())],
  ['is on no server', 'ECONNREFUSED', async () => new URL('postgresql://me:secret@127.0.0.1:1/nowhere')],
])('a database that %s is told with its place, DATABASE_URL and what to do (S5.2)', async (_, reason, find) => {
  const url = await find();
  vi.stubEnv('DATABASE_URL', url.href);
  const told = [`${url.host}/nowhere`, reason, 'DATABASE_URL names it', 'make that database'];
  const project = await controlPlaneProject();
  for (const failing of [() => prepareStore(project, url.href), () => withOwnStore(({ reader }) => count(reader))]) {
    const message = await failing().then(
      () => 'it was used',
      (thrown: Error) => thrown.message,
    );
    for (const part of told) expect(message).toContain(part);
    expect(message).not.toContain(url.password);
  }
});

it('an address that is none is told before anybody connects, and without what it holds', async () => {
  vi.stubEnv('DATABASE_URL', 'secret@host/database');
  const told = /^DATABASE_URL is not an address .* Write postgresql:/;
  await expect(withOwnStore(({ reader }) => count(reader))).rejects.toThrow(told);
  await expect(withOwnStore(({ reader }) => count(reader))).rejects.not.toThrow('secret');
  expect(await store.look({ env: process.env, home: 'nowhere', taskQueue: 'reeve' })).toMatchObject([
    { status: 'problem', says: expect.stringMatching(told), remedy: expect.stringContaining('correct DATABASE_URL') },
  ]);
});
