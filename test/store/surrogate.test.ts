import { describe, expect, it } from 'vitest';
import { surrogate } from '../../src/store/surrogate.js';
import { hash53 } from '../../src/store/hash.js';
import { event, operation, START } from './records.js';
import { useServer } from './server.js';

const server = useServer();

describe('the numbers of operations and events', () => {
  it('fit a JSON number for decades, and have the order of the start (S5.1)', () => {
    expect(Number.isSafeInteger(surrogate(Date.UTC(2094, 0, 1), 2_047, 5_000))).toBe(true);
    expect(surrogate(START, 2_047, 5_000)).toBeLessThan(surrogate(START + 1, 0));
    expect(surrogate(START, 2_047, 7)).toBe(surrogate(START, 2_047) + 7);
    expect(surrogate(0, 0)).toBe(0);
    expect(Number.isSafeInteger(hash53('a', 'b'))).toBe(true);
    expect(hash53('a', 'bc')).not.toBe(hash53('ab', 'c'));
  });

  it('are in start order, also when rows arrive late (S5.1)', async () => {
    const store = await server.store();
    const ids = Array.from({ length: 50 }, (_, index) => `op-${index}`);
    const records = ids.map((id, index) => operation(id, { startedAt: START + index * 3 }));
    await store.writer.keep(records.filter((_, index) => index % 2 === 0));
    await store.writer.keep(records.filter((_, index) => index % 2 === 1));
    const rows = await store.reader.selectFrom('operations').select('request_id').orderBy('operation_id').execute();
    expect(rows.map(({ request_id }) => request_id)).toEqual(ids);
  });

  it('are the next free ones where others have them, and never change (S5.1)', async () => {
    const store = await server.store();
    // 2,048 places to begin at in a millisecond: among so many entities, some want the place of another.
    const nameOf = (id: string) => `create LogicalServer/${id}`;
    const many = (from: number) =>
      Array.from({ length: 300 }, (_, index) => `op-${from + index}`).map((id) => operation(id, { name: nameOf(id) }));
    await Promise.all([0, 300, 600].map((from) => store.writer.keep(many(from))));
    const read = () => store.reader.selectFrom('operations').selectAll().orderBy('operation_id').execute();
    const before = await read();
    expect(new Set(before.map(({ operation_id }) => operation_id)).size).toBe(900);
    const wanted = before.filter(
      ({ request_id, operation_id }) => operation_id === surrogate(START, hash53(`LogicalServer/${request_id}`)),
    );
    expect(wanted.length).toBeLessThan(900);
    await store.writer.keep(many(0).map((record) => ({ ...record, outcome: 'success', endedAt: START + 9 })));
    const numbers = (rows: typeof before) => rows.map(({ request_id, operation_id }) => [request_id, operation_id]);
    expect(numbers(await read())).toEqual(numbers(before));
  });

  it('have the order in which an entity starts what starts in one millisecond, among those of others (S5.1)', async () => {
    const store = await server.store();
    // All want nearly the same places.
    const keys = ['a', 'b', 'c', 'd'];
    const batch = (key: string) =>
      Array.from({ length: 500 }, (_, startOrder) =>
        operation(`${key}-${startOrder}`, { name: `create LogicalServer/orders`, startOrder }),
      );
    for (const key of keys) await store.writer.keep(batch(key).reverse());
    const rows = await store.reader.selectFrom('operations').select('request_id').orderBy('operation_id').execute();
    for (const key of keys) {
      const orders = rows.flatMap(({ request_id: id }) => (id.startsWith(key) ? [Number(id.slice(2))] : []));
      expect(orders).toEqual(batch(key).map((_, index) => index));
    }
    const events = Array.from({ length: 20 }, (_, startOrder) => event(`e${startOrder}`, { startOrder }));
    for (const record of [...events].reverse()) await store.writer.keep([record]);
    const numbers = await store.reader
      .selectFrom('state_machine_events')
      .select('event_id')
      .orderBy('event_id')
      .execute();
    expect(numbers.map(({ event_id }) => event_id - numbers[0]!.event_id)).toEqual(events.map((_, index) => index));
  });

  it('order the events of an operation by their start (S5.1)', async () => {
    const store = await server.store();
    const records = [3, 1, 2].map((ms) => event(`e${ms}`, { startedAt: START + ms }));
    for (const record of records) await store.writer.keep([record]);
    const rows = await store.reader.selectFrom('state_machine_events').selectAll().orderBy('event_id').execute();
    expect(rows.map(({ start_time }) => start_time.getTime() - START)).toEqual([1, 2, 3]);
  });
});
