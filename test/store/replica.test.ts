import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Migration } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  dropReplica,
  followReplica,
  lookAtReplica,
  promoteReplica,
  readReplicas,
  Side,
  verifyReplica,
  type Replica,
  type ReplicaStatus,
} from '../../src/store/replica/index.js';
import { readSubscription, subscribedTables } from '../../src/store/replica/replica-subscription.js';
import { createDatabase, openStore, StoreAway, type Store } from '../../src/store/index.js';
import { MIGRATIONS } from '../../src/store/migrations/index.js';
import { Load } from '../../tools/replica/load.js';
import { MortalServer } from '../../tools/replica/mortal-server.js';
import { until } from '../support/until.js';
import { event, operation, standing, transition } from './records.js';
import { ask } from './server.js';

let folder: string;
let first: MortalServer;
let second: MortalServer;
let databases = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reeve-replica-'));
  [first, second] = [new MortalServer(join(folder, 'first')), new MortalServer(join(folder, 'second'))];
  await Promise.all([first.start(), second.start()]);
});
afterAll(async () => {
  await Promise.all([first.remove(), second.remove()]);
  await rm(folder, { recursive: true, force: true });
});

interface Pair extends Replica {
  readonly writer: Store['writer'];
  readonly open: Store;
}

/** A store on the first server, and the place of a replica on the second. */
async function pair({ target }: { readonly target?: string } = {}): Promise<Pair> {
  const number = ++databases;
  const url = first.url(`store${number}`);
  await createDatabase(url);
  const open = openStore({ url, dimensions: ['zone'] });
  await open.migrate();
  const replicaUrl = target ?? second.url(`replica${number}`);
  const sides = {
    store: new Side('store', { url, place: `first/store${number}` }),
    target: new Side('replica', { url: replicaUrl, place: `second/replica${number}` }),
  };
  onTestFinished(async () => {
    await Promise.all([first.start(), second.start()]);
    await dropReplica(sides.store, sides.target).catch(() => undefined);
    await Promise.all([open.close(), sides.store.close(), sides.target.close()]);
  });
  return { ...sides, reachedAt: url, dimensions: ['zone'], warn: () => undefined, writer: open.writer, open };
}

/** Follows until a status is as it should be. */
async function followUntil(
  replica: Replica,
  check: (status: ReplicaStatus) => boolean,
  options = {},
): Promise<ReplicaStatus> {
  for await (const status of followReplica(replica, options)) if (check(status)) return status;
  throw new Error('A replica is followed for ever.');
}

const caughtUp = ({ state, lag }: ReplicaStatus) => state === 'following' && lag?.rows === 0;

async function expectEqual(replica: Replica): Promise<void> {
  expect(await verifyReplica(replica)).toMatchObject({ equal: true, problems: [] });
}

const count = async (side: Side, table: string) =>
  (await side.one<{ rows: number }>(`select count(*)::int as rows from ${table}`)).rows;

describe('a replica of the store (A6)', () => {
  it('has all rows of before and each change after, with its lag in time and rows (A6)', async () => {
    const replica = await pair();
    await replica.writer.keep([operation('before'), event('before'), transition(1), standing(1)]);
    const status = await followUntil(replica, caughtUp);
    expect(status).toMatchObject({
      ...{ store: replica.store.place, replica: replica.target.place, problem: null, failures: 0 },
      lag: { behind_ms: 0, rows: 0, more: false, bytes: 0 },
      tables: { ready: 19, all: 19 },
    });
    await replica.writer.keep([operation('after'), operation('before', { outcome: 'success', endedAt: 1 })]);
    await replica.store.query(`delete from reeve_data.transitions`);
    await replica.writer.audit([
      {
        id: '0199d6f2-0000-7000-8000-000000000001',
        at: 0,
        subject: 's',
        roles: ['r'],
        action: 'a',
        decision: 'denied',
      },
    ]);
    await expectEqual(replica);
    expect(await count(replica.target, 'reeve_data.operations')).toBe(2);
    expect(await count(replica.target, 'reeve_data.transitions')).toBe(0);
    // It can be read, with the dimensions of the application.
    expect(await replica.target.query(`select request_id, outcome, zone from reeve.operations order by 1`)).toEqual([
      { request_id: 'after', outcome: null, zone: null },
      { request_id: 'before', outcome: 'success', zone: null },
    ]);
  });

  it('tells exactly how far it is behind while its server is away, and goes on by itself (A6)', async () => {
    const replica = await pair();
    await followUntil(replica, caughtUp);
    await second.kill();
    await replica.writer.keep(Array.from({ length: 300 }, (_, index) => operation(`o${index}`)));
    await replica.writer.keep([operation('o1', { outcome: 'success', endedAt: 1 })]);
    const status = await until(async () => {
      const seen = await lookAtReplica(replica);
      expect(seen.lag?.behind_ms).toBeGreaterThan(1_000);
      return seen;
    });
    expect(status).toMatchObject({
      ...{
        state: 'unreachable',
        lag: { rows: 301, more: false },
        problem: expect.stringContaining('cannot be reached'),
      },
      held: { limit: null },
    });
    expect(await readReplicas(replica.store)).toMatchObject([{ state: 'unread', lag: { rows: 301 } }]);
    await second.start();
    await until(async () =>
      expect(await lookAtReplica(replica)).toMatchObject({ state: 'following', lag: { rows: 0 } }),
    );
    await expectEqual(replica);
  });

  it('goes on though its server is killed when its tables were copied (A6, replica-subscription.3)', async () => {
    // Writes that no transaction waits for come late to the disk, as on a machine short of CPU.
    await second.set('wal_writer_delay = 10s');
    const replica = await pair();
    await replica.writer.keep([operation('before')]);
    const { name } = await followUntil(replica, () => true);
    // On the disk is then that a table was copied, but not that it is done with.
    await replica.target.session(async (client) => {
      for (;;) {
        await client.query('begin; lock table pg_subscription_rel in share mode');
        const states = await client.query<{ state: string }>(`select srsubstate as state from pg_subscription_rel`);
        if (states.rows.some(({ state }) => state === 'f')) break;
        if (states.rows.every(({ state }) => state === 'r')) throw new Error('No table was seen that was just copied.');
        await client.query('rollback');
      }
      await replica.target.query(`create table public.flushed ()`);
      await client.query('rollback');
    });
    await until(async () => {
      const tables = await subscribedTables(replica.target, name);
      expect(tables.filter((table) => !table.ready)).toEqual([]);
    });
    await second.kill();
    await second.set('wal_writer_delay = 200ms');
    await followUntil(replica, caughtUp);
    await expectEqual(replica);
  });

  it('copies a table again whose slot was dropped before its server had noted on its disk that it was (A6, replica-subscription.4)', async () => {
    const replica = await pair();
    await replica.writer.keep([operation('o1'), operation('o2')]);
    await followUntil(replica, caughtUp);
    // As a crash between both leaves it: PostgreSQL fails to go on from a slot that is gone, again and again.
    await replica.target.session(async (client) => {
      await client.query(`set allow_system_table_mods = on`);
      await client.query(`set session_replication_role = replica`);
      await client.query(`begin`);
      await client.query(`delete from reeve_data.operations where request_id = 'o1'`);
      await client.query(
        `update pg_subscription_rel set srsubstate = 'f', srsublsn = null where srrelid = 'reeve_data.operations'::regclass`,
      );
      await client.query(`commit`);
    });
    expect(await lookAtReplica(replica)).toMatchObject({ state: 'copying', tables: { ready: 18, all: 19 } });
    await replica.writer.keep([operation('o3')]);
    await followUntil(replica, caughtUp);
    await expectEqual(replica);
    expect(await count(replica.target, 'reeve_data.operations')).toBe(3);
  });

  it('waits for its disk while tables are copied, and no longer (A6, replica-subscription.3)', async () => {
    const replica = await pair();
    const { name } = await followUntil(replica, ({ tables }) => tables !== null && tables.ready < tables.all);
    expect((await readSubscription(replica.target, name))?.waitsForDisk).toBe(true);
    await followUntil(replica, caughtUp);
    await until(async () => {
      await followUntil(replica, caughtUp);
      expect((await readSubscription(replica.target, name))?.waitsForDisk).toBe(false);
    });
  });

  it('is compared at one position while others write (A6)', async () => {
    const replica = await pair();
    const load = new Load(replica.open);
    await followUntil(replica, ({ state }) => state === 'following');
    for (let round = 0; round < 3; round++) await expectEqual(replica);
    await load.stop();
    expect(load.kept).toBeGreaterThan(100);
  });

  it('that differs is found, with the rows (A6)', async () => {
    const replica = await pair();
    await replica.writer.keep(Array.from({ length: 50 }, (_, index) => operation(`o${index}`)));
    await followUntil(replica, caughtUp);
    await replica.target.session(async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query(`update reeve_data.operations set name = 'other' where request_id = 'o7'`);
      await client.query(`delete from reeve_data.operations where request_id = 'o8'`);
      await client.query(`insert into reeve_data.errors values (1, 'x', 'x')`);
    });
    const { equal, tables } = await verifyReplica(replica);
    expect(equal).toBe(false);
    expect(tables.filter((table) => !table.equal)).toEqual([
      {
        ...{ table: 'errors', rows: { store: 0, replica: 1 }, equal: false, problem: null },
        differences: [{ key: '(1)', how: 'only in the replica' }],
      },
      {
        ...{ table: 'operations', rows: { store: 50, replica: 49 }, equal: false, problem: null },
        differences: expect.arrayContaining([
          { key: '(o7)', how: 'different' },
          { key: '(o8)', how: 'missing in the replica' },
        ]),
      },
    ]);
  });

  it('takes rows from its store alone until it is promoted (A6, provenance.2)', async () => {
    const replica = await pair();
    await followUntil(replica, caughtUp);
    const wrong = openStore({ url: replica.target.url, dimensions: [] });
    onTestFinished(() => wrong.close());
    await expect(wrong.writer.keep([operation('o')])).rejects.toThrow(StoreAway);
    await expect(wrong.writer.keep([operation('o')])).rejects.toThrow(
      /is a replica of first\/store\d+: nothing else writes/,
    );
    for (const statement of ['update reeve_data.operations set name = $$x$$', 'truncate reeve_data.operations']) {
      await expect(replica.target.query(statement), statement).rejects.toThrow(/is a replica/);
    }
  });
});

describe('migrations of the store', () => {
  const migrations = MIGRATIONS as Record<string, Migration>;

  it('are made in the replica too, at their place among the rows, with new tables (A6, tables.1, tables.2)', async () => {
    const replica = await pair();
    const load = new Load(replica.open);
    onTestFinished(() => load.stop());
    const statuses = followReplica(replica);
    await until(async () => expect((await statuses.next()).value).toMatchObject({ state: 'following' }));
    migrations['9999-test'] = {
      async up(db) {
        for (const statement of [
          `alter table reeve_data.operations add column weight integer`,
          `update reeve_data.operations set weight = length(name)`,
          `alter table reeve_data.operations alter column weight set not null, alter column weight set default 7`,
          `insert into reeve_data.errors values (1, 'of the migration', 'x')`,
          `create table reeve_data.extras (number bigint generated always as identity, said text not null)`,
          `insert into reeve_data.extras (said) select request_id from reeve_data.operations limit 100`,
        ]) {
          await sql.raw(statement).execute(db);
        }
      },
    };
    onTestFinished(() => void delete migrations['9999-test']);
    await replica.open.migrate();
    // One without a key: all its values tell it apart.
    await until(() => replica.store.query(`update reeve_data.extras set said = 'changed' where number = 3`));
    await until(async () => {
      expect((await statuses.next()).value).toMatchObject({ state: 'following', tables: { ready: 20, all: 20 } });
    });
    await replica.store.query(`delete from reeve_data.extras where number = 4`);
    await replica.store.query(`insert into reeve_data.extras (said) values ('after')`);
    await expectEqual(replica);
    await load.stop();
    await expectEqual(replica);
    expect(await count(replica.target, 'reeve_data.errors')).toBe(await count(replica.store, 'reeve_data.errors'));
    await statuses.return(undefined);
    // Sequences go on after what they have numbered.
    await promoteReplica(replica);
    const last = await replica.store.one<{ number: number }>(`select max(number) as number from reeve_data.extras`);
    expect(await replica.target.query(`insert into reeve_data.extras (said) values ('new') returning number`)).toEqual([
      { number: last.number + 1 },
    ]);
  });

  it('come after the rows of before, also where one was cut short (A6, tables.1)', async () => {
    const replica = await pair();
    const { name } = await followUntil(replica, caughtUp);
    await replica.target.query(`alter subscription ${name} disable`);
    await replica.writer.keep([operation('before')]);
    migrations['9999-test'] = {
      async up(db) {
        for (const statement of [
          `alter table reeve_data.lives add column weight integer`,
          `alter table reeve_data.operations add column weight integer`,
          `update reeve_data.operations set weight = length(name)`,
          // A row of before does not fit.
          `alter table reeve_data.operations alter column weight set not null`,
        ]) {
          await sql.raw(statement).execute(db);
        }
      },
    };
    onTestFinished(() => void delete migrations['9999-test']);
    await replica.open.migrate();
    await replica.store.query(`insert into reeve_data.lives values ('l', 1, now(), 3)`);
    await followUntil(replica, caughtUp);
    await expectEqual(replica);
    expect(await replica.target.query(`select weight from reeve_data.lives`)).toEqual([{ weight: 3 }]);
  });

  it('of a version that the command does not know are refused, in both directions (A6)', async () => {
    const replica = await pair();
    await replica.store.query(`insert into reeve_data.migrations values ('9998-newer', '')`);
    await expect(followReplica(replica).next()).rejects.toThrow(/newer version than this command: .*9998-newer/);
    await replica.store.query(`delete from reeve_data.migrations where name = '9998-newer'`);
    migrations['9999-test'] = { up: () => Promise.resolve() };
    onTestFinished(() => void delete migrations['9999-test']);
    await expect(followReplica(replica).next()).rejects.toThrow(
      /older version .*9999-test is missing. Run 'reeve store migrate'/,
    );
  });
});

describe('a promotion', () => {
  const works = async (url: string) => {
    const store = openStore({ url, dimensions: ['zone'] });
    onTestFinished(() => store.close());
    expect(await store.pending()).toEqual([]);
    await store.writer.keep([operation('written after', { startedAt: Date.UTC(2026, 5) })]);
    return (await store.reader.selectFrom('operations').select('request_id').execute()).map((row) => row.request_id);
  };

  it('gives a store that works, and leaves nothing of the replica on either side (A6, promote.1)', async () => {
    const replica = await pair();
    await replica.writer.keep(Array.from({ length: 20 }, (_, index) => operation(`o${index}`)));
    await followUntil(replica, caughtUp);
    // It is behind when its promotion begins.
    const promoted = await replica.target.session(async (client) => {
      await client.query('begin');
      await client.query('lock table reeve_data.operations in access exclusive mode');
      await replica.writer.keep([operation('last')]);
      const promoting = promoteReplica(replica);
      await until(async () => expect((await lookAtReplica(replica)).lag).toMatchObject({ rows: 1 }));
      await client.query('rollback');
      return promoting;
    });
    expect(promoted).toEqual({
      ...{
        store: replica.store.place,
        replica: replica.target.place,
        complete: true,
        allowAgain: null,
        leftBehind: null,
      },
    });
    expect(await works(replica.target.url)).toHaveLength(22);
    expect(await replica.target.query(`select from pg_subscription where subname like 'reeve%'`)).toEqual([]);
    expect(await replica.target.query(`select from pg_trigger where tgname like 'reeve%'`)).toEqual([]);
    expect(await replica.store.query('select from pg_publication')).toEqual([]);
    expect(await replica.store.query('select from pg_replication_slots where database = current_database()')).toEqual(
      [],
    );
    await expect(promoteReplica(replica)).rejects.toThrow(/is not a replica/);
  });

  it('that stops writes loses none, though others write until then (A6, promote.1)', async () => {
    const replica = await pair();
    const load = new Load(replica.open);
    await followUntil(replica, ({ state }) => state === 'following');
    const { allowAgain } = await promoteReplica(replica, { stopWrites: true });
    const kept = load.operations.length;
    await until(async () => expect(replica.open.writer.measures().away).toBe(true));
    expect(load.operations).toHaveLength(kept);
    await load.stop();
    const there = await replica.target.query<{ id: string }>(`select request_id as id from reeve_data.operations`);
    expect(there.map(({ id }) => id)).toEqual(expect.arrayContaining([...load.operations]));
    await replica.store.query(allowAgain!);
    await until(() => replica.writer.keep([operation('again')]));
  });

  it('can do without the store, and says what it may lack (A6)', async () => {
    const replica = await pair();
    await replica.writer.keep([operation('o')]);
    await followUntil(replica, caughtUp);
    await first.kill();
    await expect(promoteReplica(replica)).rejects.toThrow(/The store at .* cannot be reached/);
    const promoted = await promoteReplica(replica, { withoutStore: true });
    expect(promoted).toMatchObject({ complete: false, leftBehind: expect.stringMatching(/^reeve_replica_/) });
    expect((await works(replica.target.url)).sort()).toEqual(['o', 'written after']);
    await first.start();
    // The slot that was left behind is found and ended.
    expect(await dropReplica(replica.store, replica.target)).toMatchObject({
      atStore: [promoted.leftBehind],
      atReplica: false,
    });
    expect(await replica.store.query('select from pg_replication_slots where database = current_database()')).toEqual(
      [],
    );
  });

  it('that was cut short is brought to its end, and not followed again (A6, promote.2)', async () => {
    const replica = await pair();
    await replica.writer.keep([operation('o')]);
    const { name } = await followUntil(replica, caughtUp);
    await replica.target.query(`update reeve_replica.replica set promotion = 'complete'`);
    await replica.target.query(`alter subscription ${name} disable`);
    await replica.target.query(`alter subscription ${name} set (slot_name = none)`);
    await replica.target.query(`drop subscription ${name}`);
    await expect(followReplica(replica).next()).rejects.toThrow(/is being promoted/);
    await expect(dropReplica(replica.store, replica.target)).rejects.toThrow(/is being promoted/);
    expect(await promoteReplica(replica)).toMatchObject({ complete: true });
    expect((await works(replica.target.url)).sort()).toEqual(['o', 'written after']);
  });

  it('of a replica that does not catch up changes nothing (A6, promote.3)', async () => {
    const replica = await pair();
    const { name } = await followUntil(replica, caughtUp);
    await replica.target.query(`alter subscription ${name} disable`);
    await replica.writer.keep([operation('o')]);
    const promoting = promoteReplica(replica, { stopWrites: true, withinMs: 1_000 });
    await expect(promoting).rejects.toThrow(
      /has not caught up with the store within 1 s.*does not read from the store/,
    );
    await until(() => replica.writer.keep([operation('taken again')]));
    await followUntil(replica, caughtUp);
    await expectEqual(replica);
  });
});

describe('the end of a replica', () => {
  it('leaves nothing on either side, and another one can begin (A6)', async () => {
    const replica = await pair();
    await followUntil(replica, caughtUp);
    expect(await readReplicas(replica.store)).toHaveLength(1);
    expect(await dropReplica(replica.store, replica.target)).toMatchObject({ atReplica: true, problem: null });
    expect(await readReplicas(replica.store)).toEqual([]);
    expect(await replica.store.query('select from pg_replication_slots where database = current_database()')).toEqual(
      [],
    );
    expect(await replica.target.query(`select from pg_namespace where nspname like 'reeve%'`)).toEqual([]);
    await expect(dropReplica(replica.store, replica.target)).rejects.toThrow(
      /There is no replica of this store at second/,
    );
    await expect(lookAtReplica(replica)).rejects.toThrow(/There is no replica of this store at second/);
    await followUntil(replica, caughtUp);
  });

  it('is the end of that one alone (A6)', async () => {
    const replica = await pair();
    const other = { ...replica, target: new Side('replica', { url: second.url('other'), place: 'second/other' }) };
    onTestFinished(() => other.target.close());
    await followUntil(replica, caughtUp);
    await followUntil(other, caughtUp);
    expect((await readReplicas(replica.store)).map((status) => status.replica).sort()).toEqual(
      [replica.target.place, 'second/other'].sort(),
    );
    await dropReplica(replica.store, replica.target);
    await replica.writer.keep([operation('o')]);
    await expectEqual(other);
    await dropReplica(other.store, other.target);
  });

  it('that is gone or away lets the store keep nothing more for it (A6)', async () => {
    const replica = await pair();
    await followUntil(replica, caughtUp);
    await second.kill();
    expect(await dropReplica(replica.store, replica.target)).toMatchObject({
      ...{ atReplica: false, atStore: [expect.stringMatching(/^reeve_replica_/)] },
      problem: expect.stringMatching(/^The replica at .* cannot be reached/),
    });
    expect(await replica.store.query('select from pg_replication_slots where database = current_database()')).toEqual(
      [],
    );
    await second.start();
    await expect(followReplica(replica).next()).rejects.toThrow(/no longer has the log.*--anew/);
  });
});

describe('what a replica asks for', () => {
  const begin = (replica: Replica) => followReplica(replica).next();
  const with_ = (url: string, user: string) => Object.assign(new URL(url), { username: user, password: 'secret' }).href;

  it('a slot that is gone is an error, and a replica can begin anew (A6, keep.2)', async () => {
    const replica = await pair();
    await replica.writer.keep([operation('o')]);
    const { name } = await followUntil(replica, caughtUp);
    await replica.target.query(`alter subscription ${name} disable`);
    await until(() => replica.store.query('select pg_drop_replication_slot($1)', [name]));
    await replica.writer.keep([operation('missed')]);
    for (const refused of [begin, verifyReplica, promoteReplica]) {
      await expect(refused(replica)).rejects.toMatchObject({
        code: 'slot_lost',
        message: expect.stringContaining('--anew'),
      });
    }
    expect(await lookAtReplica(replica)).toMatchObject({ state: 'lost' });
    await followUntil(replica, caughtUp, { anew: true });
    await expectEqual(replica);
    expect(await count(replica.target, 'reeve_data.operations')).toBe(2);
  });

  it('a publication that is gone is the same: nobody is told what was written without it (A6, keep.2)', async () => {
    const replica = await pair();
    const { name } = await followUntil(replica, caughtUp);
    await replica.store.query(`drop publication ${name}`);
    await replica.writer.keep([operation('missed')]);
    await expect(begin(replica)).rejects.toMatchObject({ code: 'slot_lost' });
    await followUntil(replica, caughtUp, { anew: true });
    await expectEqual(replica);
  });

  it('that what it lacks is kept: what is left unread for longer than the server keeps its log is lost (A6, keep.2)', async () => {
    const replica = await pair();
    const { name } = await followUntil(replica, caughtUp);
    await replica.target.query(`alter subscription ${name} disable`);
    await replica.store.query(`alter system set max_slot_wal_keep_size = '16MB'`);
    onTestFinished(async () => {
      await replica.store.query('alter system reset max_slot_wal_keep_size');
      await replica.store.query('select pg_reload_conf()');
    });
    await replica.store.query('select pg_reload_conf()');
    await until(async () => {
      expect((await lookAtReplica(replica)).held).toMatchObject({ limit: 16 * 1024 ** 2 });
    });
    for (let segment = 0; segment < 4; segment++) {
      await replica.store.query(`select pg_logical_emit_message(false, 'test', 'x', true), pg_switch_wal()`);
    }
    await replica.store.query('checkpoint');
    expect(await lookAtReplica(replica)).toMatchObject({ state: 'lost', problem: expect.stringContaining('--anew') });
    await expect(begin(replica)).rejects.toMatchObject({ code: 'slot_lost' });
    // The data that it has can still become a store.
    expect(await promoteReplica(replica, { withoutStore: true })).toMatchObject({ complete: false, leftBehind: null });
    expect(await replica.store.query('select from pg_replication_slots where database = current_database()')).toEqual(
      [],
    );
  });

  it('a database of its own: not one with tables, not the store, not a replica of another store (A6, keep.1)', async () => {
    const replica = await pair();
    const occupied = second.url('occupied');
    await createDatabase(occupied);
    await ask(occupied, 'create table public.mine (x integer)');
    const onIt = await pair({ target: occupied });
    await expect(begin(onIt)).rejects.toThrow(/is not empty, and no replica of this store: it has public.mine/);
    expect(await ask(occupied, `select from pg_namespace where nspname like 'reeve%'`)).toEqual([]);
    await expect(begin(await pair({ target: replica.store.url }))).rejects.toThrow(/is not empty/);
    await expect(begin({ ...replica, target: replica.store })).rejects.toThrow(/is the store itself/);
    await followUntil(replica, caughtUp);
    const other = await pair({ target: replica.target.url });
    await expect(begin(other)).rejects.toThrow(/is a replica of another store, which was at first\/store/);
    await expect(promoteReplica(other)).rejects.toThrow(/is a replica of another store/);
    await expect(begin({ ...replica, store: replica.target })).rejects.toThrow(
      /is itself a replica, of the store at first/,
    );
  });

  it('a server that answers (A6)', async () => {
    const nowhere = await pair({ target: 'postgresql://nobody:secret@127.0.0.1:1/none' });
    await expect(begin(nowhere)).rejects.toMatchObject({
      code: 'replica_unreachable',
      message: expect.stringMatching(/^The replica at .* cannot be reached: .*ECONNREFUSED/),
    });
    const replica = await pair();
    const unseen = begin({ ...replica, reachedAt: 'postgresql://postgres:secret@127.0.0.1:1/none' });
    await expect(unseen).rejects.toThrow(/The replica at .* cannot reach the store \(.*Connection refused.*--from/);
    await followUntil(replica, caughtUp);
  });

  it('a role that may replicate, and one that may subscribe (A6)', async () => {
    const replica = await pair();
    const { pathname } = new URL(replica.store.url);
    await replica.store.query(`create role plain login password 'secret'`);
    await replica.store.query(`grant create on database ${pathname.slice(1)} to plain`);
    for (const [schema] of [['reeve_data'], ['reeve']]) {
      await replica.store.query(`alter schema ${schema} owner to plain`);
      const tables = await replica.store.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = '${schema}'`,
      );
      for (const { name } of tables) await replica.store.query(`alter table ${name} owner to plain`);
    }
    const store = new Side('store', { url: with_(replica.store.url, 'plain'), place: 'first' });
    onTestFinished(() => store.close());
    await expect(begin({ ...replica, store })).rejects.toMatchObject({
      code: 'role_lacks_replication',
      message: expect.stringContaining(`'plain' create a replication slot, because the role does not have REPLICATION`),
    });
    await replica.store.query('alter role plain replication');
    await replica.target.query(`create role plain login password 'secret'`).catch(() => undefined);
    const database = new URL(replica.target.url).pathname.slice(1);
    await ask(second.url('postgres'), `alter database ${database} owner to plain`);
    const target = new Side('replica', { url: with_(replica.target.url, 'plain'), place: 'second' });
    onTestFinished(() => target.close());
    await expect(begin({ ...replica, store, target })).rejects.toMatchObject({ code: 'role_cannot_subscribe' });
    await replica.target.query('grant pg_create_subscription to plain');
    const plain = { ...replica, store, target, reachedAt: store.url };
    await followUntil(plain, caughtUp);
    await expectEqual(plain);
    await expect(promoteReplica(plain, { stopWrites: true })).rejects.toMatchObject({
      code: 'role_cannot_stop_writes',
    });
    await promoteReplica(plain);
  });

  it('settings of the server, which the errors name (A6)', async () => {
    const replica = await pair();
    onTestFinished(() => first.set('wal_level = logical\nmax_replication_slots = 10'));
    await first.set('max_replication_slots = 0');
    await expect(begin(replica)).rejects.toThrow(/max_replication_slots/);
    await first.set('wal_level = replica\nmax_replication_slots = 10');
    await expect(begin(replica)).rejects.toThrow(/has wal_level = replica; a replica needs wal_level = logical/);
  });

  it('no password in what is said, nor in the logs of the servers (A6, replica-subscription.1)', async () => {
    const replica = await pair();
    await followUntil(replica, caughtUp);
    await begin({ ...replica, reachedAt: 'postgresql://postgres:wrong-secret@127.0.0.1:1/none' }).catch(
      () => undefined,
    );
    await begin(replica);
    await promoteReplica(replica);
    const logs = [await first.log(), await second.log()];
    expect(logs[0]).toContain('pg_create_logical_replication_slot');
    expect(logs[1]).toContain('drop subscription');
    for (const secret of [first.password, second.password, 'wrong-secret']) {
      expect(logs.flatMap((log) => log.split('\n').filter((line) => line.includes(secret)))).toEqual([]);
    }
  });
});
