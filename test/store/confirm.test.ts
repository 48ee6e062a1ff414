import { describe, expect, it } from 'vitest';
import { namesOf } from '../../src/protocol/record-names.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import { StoreAway } from '../../src/store/index.js';
import { findLacking } from '../../src/store/writing/lacking.js';
import { StoreWriter } from '../../src/store/writing/writer.js';
import { until } from '../support/until.js';
import { entity, event, operation, standing, START, transition } from './records.js';
import { useMortalServer } from './server.js';

const server = useMortalServer();
const { life } = entity();
const exception = { kind: 'defect' as const, code: 'defect', message: 'TypeError: x' };

/** Events that settle at once, one for each version. */
const happenings = (first: number, last: number): readonly StoreRecord[] =>
  Array.from({ length: last - first + 1 }, (_, index) => {
    const version = first + index;
    const at = START + version;
    const id = `event-${version}`;
    const times = { startedAt: at, endedAt: at };
    return [
      event(id, { operation: id, startVersion: version - 1, ...times, endState: 'Ready' }),
      transition(version, { operation: id, event: id, at }),
      operation(id, { outcome: 'success', ...times }),
    ];
  }).flat();
const names = (records: readonly StoreRecord[], complete = true) => namesOf(life, records, complete);

describe('what the store is asked for (S5.2)', () => {
  it('is found by its key, also in a life that is younger than what PostgreSQL knows of its tables', async () => {
    const { writer, query } = await server.store();
    const old = entity('old');
    await writer.keep(Array.from({ length: 3_000 }, (_, n) => transition(n + 1, { entity: old, at: START + n })));
    await query('analyze');
    const records = happenings(1, 1_000);
    await writer.keep(records);
    let asked: { readonly text: string; readonly values: unknown[] } | undefined;
    const database = {
      query: async (statement: NonNullable<typeof asked>) => ((asked = statement), { rows: [], rowCount: 0 }),
    };
    await findLacking(database, names(records), true);
    const plan = JSON.stringify(await query(`explain (analyze, format json) ${asked!.text}`, asked!.values));
    const indexes = [...plan.matchAll(/"Index Name":"((?:transitions|events)_\w+)"/g)].map(([, name]) => name);
    expect(indexes).toEqual(expect.arrayContaining(['transitions_pkey', 'events_pkey']));
    expect(indexes).not.toContain('transitions_by_event');
    expect(indexes).not.toContain('events_by_version');
  });

  it('is missing when it never came, and is not when it was offered just now or kept', async () => {
    const { writer, query } = await server.store();
    await writer.keep(happenings(1, 100));
    writer.offer([...happenings(101, 300), standing(300)]);
    const lacking = await writer.confirm(names([...happenings(1, 302), standing(302)]));
    expect([...lacking].sort()).toEqual(
      ['entity', ...[301, 302].flatMap((n) => [`event/event-${n}`, `operation/event-${n}`, `transition/${n}`])].sort(),
    );
    expect(writer.measures()).toMatchObject({ queued: 0, confirmed: 900 });
    expect(await query('select count(*)::int as n from reeve_data.events where kept')).toEqual([{ n: 300 }]);
    await writer.keep([...happenings(301, 302), standing(302)]);
    expect(await writer.confirm(names([...happenings(1, 302), standing(302)]))).toEqual([]);
  });

  it('is missing as long as the store has only what a lost task had offered, told by its time', async () => {
    const { writer, query } = await server.store();
    const lost = START - 7;
    writer.offer([
      transition(1, { at: lost, endState: 'Failed' }),
      event('event-1', { operation: 'event-1', startedAt: lost, endedAt: lost, endState: 'Failed' }),
      operation('event-1', { outcome: 'failed', startedAt: lost, endedAt: lost }),
      event('event-2', { operation: 'event-2', startVersion: 1, startedAt: lost }),
      standing(1, { at: lost, state: 'Failed' }),
      transition(2, { at: lost }),
      event('nobody', { operation: 'nobody', startVersion: 1, startedAt: lost, exception }),
      operation('nobody', { outcome: 'failed', startedAt: lost, endedAt: lost }),
    ]);
    const real = [...happenings(1, 1), standing(1)];
    const lacking = await writer.confirm(names(real));
    expect([...lacking].sort()).toEqual(['entity', 'event/event-1', 'operation/event-1', 'transition/1']);
    await writer.keep(real);
    expect(await writer.confirm(names(real))).toEqual([]);
    const left = async (table: string) => (await query(`select to_jsonb(t) as row from reeve_data.${table} t`)).length;
    expect(await Promise.all(['transitions', 'events', 'operations'].map(left))).toEqual([1, 1, 1]);
    expect(await query('select end_state, at from reeve_data.transitions')).toEqual([
      { end_state: 'Ready', at: new Date(START + 1) },
    ]);
  });

  it('does not come in afterwards when it never happened, and stays when it did', async () => {
    const { writer, query } = await server.store();
    writer.offer(happenings(1, 3));
    expect(await writer.confirm(names(happenings(1, 3)))).toEqual([]);
    writer.offer([event('phantom', { startVersion: 1, startedAt: START + 2 }), transition(3, { at: START + 1 })]);
    await writer.keep([...happenings(4, 4), standing(4)]);
    await until(async () => expect(writer.measures().queued).toBe(0));
    const ids = await query('select id from reeve_data.events order by event_id');
    expect(ids).toEqual([1, 2, 3, 4].map((n) => ({ id: `event-${n}` })));
    expect(await query('select count(*)::int as n from reeve_data.operations')).toEqual([{ n: 4 }]);
    expect(await query('select at from reeve_data.transitions where version = 3')).toEqual([
      { at: new Date(START + 3) },
    ]);
  });

  it('takes nothing for a phantom before it was asked for all', async () => {
    const { writer, query } = await server.store();
    const all = happenings(1, 4);
    writer.offer(all);
    expect(await writer.confirm(names(all.slice(-3), false))).toEqual([]);
    expect(await query('select id from reeve_data.events')).toHaveLength(4);
    expect(await writer.confirm(names(all.slice(0, -3)))).toEqual([]);
    expect(await query('select id from reeve_data.events where kept')).toHaveLength(4);
    expect(await query('select version from reeve_data.transitions')).toHaveLength(4);
  });

  it('is missing with its event when nothing shows that its operation happened', async () => {
    const { writer } = await server.store();
    const [, , alone] = happenings(1, 1);
    writer.offer([alone!]);
    const lacking = await writer.confirm(names(happenings(1, 1)));
    expect([...lacking].sort()).toEqual(['event/event-1', 'operation/event-1', 'transition/1']);
  });

  it('is an entity that stands as it said, or newer', async () => {
    const { writer } = await server.store();
    const names = (version: number, of = entity()) => namesOf(of.life, [standing(version, { entity: of })], true);
    await writer.keep([standing(5)]);
    expect(await writer.confirm(names(4))).toEqual([]);
    expect(await writer.confirm(names(5))).toEqual([]);
    expect(await writer.confirm(names(6))).toEqual(['entity']);
    const next = entity('orders', 'next life');
    expect(await writer.confirm(names(7, next))).toEqual(['entity']);
    await writer.keep([standing(1, { entity: next, bornAt: START + 50, at: START + 51 })]);
    expect(await writer.confirm(names(6))).toEqual([]);
  });

  it('reaches the disk before it counts, though what is offered does not wait for that', async () => {
    const store = await server.store();
    store.writer.offer(happenings(1, 1_000));
    expect(await store.writer.confirm(names(happenings(1, 1_000)))).toEqual([]);
    store.writer.offer([standing(1_000)]);
    await until(async () => expect(store.writer.measures().queued).toBe(0));
    const [written] = await store.query('select pg_current_wal_insert_lsn() as lsn');
    // All of it is known already: nothing but what sees to the disk is written.
    expect(await store.writer.confirm(names([...happenings(1, 1_000), standing(1_000)]))).toEqual([]);
    const reached = 'select pg_current_wal_flush_lsn() >= $1::pg_lsn as reached';
    expect(await store.query(reached, [written!.lsn])).toEqual([{ reached: true }]);
  });

  it('is found though another worker is only about to write it', async () => {
    const store = await server.store();
    const asked = store.writer.confirm(names(happenings(1, 20)));
    const other = server.writerOn(store.url);
    other.offer(happenings(1, 20));
    expect(await asked).toEqual([]);
  });

  it('is not told while PostgreSQL is unavailable, and asked for in no more than a few seconds', async () => {
    const store = await server.store();
    await store.writer.keep(happenings(1, 2));
    await server.stop();
    const startedAt = Date.now();
    await expect(store.writer.confirm(names(happenings(1, 2)))).rejects.toThrow(StoreAway);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    await server.start();
    await until(async () => expect(await store.writer.confirm(names(happenings(1, 2)))).toEqual([]));
    const silent = { query: () => new Promise<never>(() => undefined) };
    const writer = new StoreWriter({ offers: silent, keeps: silent, keepWithinMs: 50 });
    await expect(writer.confirm(names(happenings(1, 2)))).rejects.toThrow(/has not answered within 0.05 s/);
  });
});
