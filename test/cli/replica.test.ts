import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dimensionNames } from '../../src/definition/dimension-names.js';
import { Random } from '../../src/simulation/index.js';
import { createDatabase, openStore, type Store } from '../../src/store/index.js';
import { MortalServer } from '../../tools/replica/mortal-server.js';
import { replicaUnderKills } from '../../tools/replica/trial.js';
import { controlPlane } from '../../workflows/definitions.js';
import { operation } from '../store/records.js';
import { until } from '../support/until.js';
import { callReeve } from '../support/reeve-call.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reeve-replica-command-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('reeve replica goes on after kills of the command and of both servers, and gives a store that works (A6)', async () => {
  const kills = { folder: join(folder, 'kills'), kills: 3, random: new Random(7), report: () => undefined };
  expect(await replicaUnderKills(kills)).toEqual([]);
});

describe('reeve replica', () => {
  let server: MortalServer;
  let store: Store;
  let env: { readonly DATABASE_URL: string; readonly REEVE_REPLICA_TO: string };
  beforeAll(async () => {
    server = new MortalServer(join(folder, 'server'));
    await server.start();
    // PostgreSQL replicas between databases of one server too.
    env = { DATABASE_URL: server.url('reeve'), REEVE_REPLICA_TO: server.url('second') };
    await createDatabase(env.DATABASE_URL);
    store = openStore({ url: env.DATABASE_URL, dimensions: dimensionNames(controlPlane) });
    await store.migrate();
    await store.writer.keep([operation('o')]);
  });
  afterAll(async () => {
    await store.close();
    await server.remove();
  });
  const reeve = async (...args: string[]) => {
    const { code, stdout, stderr } = await callReeve(['replica', ...args], env);
    expect(stdout + stderr).not.toContain(server.password);
    return { code, stdout, stderr };
  };

  it('sets up, shows, compares, promotes and ends a replica (A6)', async () => {
    const all = async (...args: string[]) => {
      const { code, stdout } = await callReeve(['replica', '--status', ...args], { ...env, REEVE_REPLICA_TO: '' });
      return { code, stdout };
    };
    expect(await all()).toEqual({ code: 0, stdout: expect.stringMatching(/has no replicas\.\n$/) });
    const set = await reeve('--once');
    expect(set, set.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^127\.0\.0\.1:\d+\/second is a replica of the store at 127\.0\.0\.1:\d+\/reeve, also while this command does not run\.\nFor the replica, the store's server keeps .* of its log for it, without a limit \(max_slot_wal_keep_size = -1\).*--drop/s,
      ),
    });
    expect(set.stdout).toMatch(/ {2}following {3}0 rows, 0\.0 s behind\n$/);
    const shown = await reeve('--status');
    expect(shown, shown.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /state +following\n +lag +0 rows, 0\.0 s behind\n +tables +19 of 19 tables have all/,
      ),
    });
    expect(JSON.parse((await all('--json')).stdout)).toMatchObject({
      items: [{ state: 'following', lag: { behind_ms: 0, rows: 0 } }],
    });
    expect(await reeve('--verify')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^19 tables with 2 rows compared at [0-9A-F/]+ of the store's log: .*\nNo difference\.\n$/,
      ),
    });
    // On a busy machine, a server may not answer in the time that the command gives it.
    await until(async () => {
      const { stdout } = await callReeve(['doctor', '--json'], { ...env, REEVE_DATA_DIR: join(folder, 'none') });
      expect((JSON.parse(stdout) as { items: unknown[] }).items).toContainEqual({
        ...{ about: 'replica of the store', status: 'ok' },
        says: expect.stringMatching(/\/second: following, 0 rows behind$/),
      });
    });
    expect(await reeve('--drop')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/reeve_replica_\w+ is removed\.\nThe database at .*\/second is empty\.\n$/),
    });
    expect(await reeve('--once', '--json')).toMatchObject({ code: 0, stdout: expect.stringMatching(/"following"/) });
    expect(await reeve('--promote')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        / is now an independent store: set DATABASE_URL .*\nIt has everything .*--stop-writes/s,
      ),
    });
    expect(await reeve('--promote', '--json')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^{"code":"no_replica"/),
    });
    expect(await reeve('--once')).toMatchObject({ code: 1, stderr: expect.stringMatching(/second is not empty/) });
  });

  it.each([
    [['--to', 'second'], /--to is not an address of a PostgreSQL database. Write postgresql:/],
    [['--from', 'secret@first'], /--from is not an address of a PostgreSQL database(?!.*secret)/],
    [['--verify', '--promote'], /--verify and --promote cannot be combined/],
    [['--verify', '--once'], /--once cannot be combined with --verify/],
    [['--drop', '--stop-writes'], /--stop-writes needs --promote/],
    [['--promote', '--stop-writes', '--without-store'], /--stop-writes needs the store/],
  ])('refuses %s (A6)', async (args, message) => {
    expect(await reeve(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message), stdout: '' });
  });

  it('says where the replica is to be, and what cannot be reached (A6)', async () => {
    const nowhere = await callReeve(['replica'], { ...env, REEVE_REPLICA_TO: '' });
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringMatching(/--to postgresql:.*REEVE_REPLICA_TO/) });
    const away = await reeve('--to', 'postgresql://nobody:secret@127.0.0.1:1/none');
    expect(away).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^The replica at 127\.0\.0\.1:1\/none cannot/),
    });
    expect(away.stderr).not.toContain('secret');
    const remote = await callReeve(['replica'], { ...env, REEVE_API: 'http://127.0.0.1:1' });
    expect(remote).toMatchObject({ code: 2, stderr: expect.stringMatching(/'reeve replica' does not work over HTTP/) });
  });
});
