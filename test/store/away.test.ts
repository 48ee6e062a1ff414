import { describe, expect, it } from 'vitest';
import { StoreAway } from '../../src/store/index.js';
import { Offering } from '../../src/store/writing/offering.js';
import { Availability } from '../../src/store/writing/availability.js';
import { StoreWriter } from '../../src/store/writing/writer.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import { until } from '../support/until.js';
import { operation } from './records.js';
import { useMortalServer } from './server.js';

const server = useMortalServer();
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    operation(`op-${from + index}`, { startedAt: Date.UTC(2026, 1) + from + index }),
  );

describe('with PostgreSQL away', () => {
  it('what was offered arrives when it is back, and what is to be kept is refused at once (S5.2)', async () => {
    const store = await server.store();
    await store.writer.keep(many(0, 10));
    store.writer.offer(many(10, 3_000));
    await server.stop();
    store.writer.offer(many(3_010, 3_000));
    const startedAt = Date.now();
    await expect(store.writer.keep(many(6_010, 10))).rejects.toThrow(StoreAway);
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    await until(async () => expect(store.writer.measures()).toMatchObject({ away: true }));
    for (let attempt = 0; attempt < 20; attempt++) {
      await expect(store.writer.keep(many(6_010, 10))).rejects.toThrow(StoreAway);
    }
    expect(Date.now() - startedAt).toBeLessThan(6_000);
    await server.start();
    await until(async () => expect(store.writer.measures()).toMatchObject({ queued: 0, away: false, dropped: 0 }));
    await until(() => store.writer.keep(many(6_010, 10)));
    const { total } = await store.reader
      .selectFrom('operations')
      .select((query) => query.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    expect(total).toBe(6_020);
    expect(store.warnings.map((warning) => warning.replace(/: .*/, ''))).toEqual([
      'The store cannot be written to',
      'The store can be written to again.',
    ]);
  });

  it('closing does not wait for it (S5.2)', async () => {
    const store = await server.store();
    await server.stop();
    store.writer.offer(many(0, 10));
    const startedAt = Date.now();
    await store.writer.close();
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    expect(store.writer.measures().queued).toBe(10);
    await server.start();
  });
});

describe('what waits to be written', () => {
  it('is bounded: the oldest is dropped, and counted (S5.2)', async () => {
    const written: StoreRecord[] = [];
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const offering = new Offering({ records: 5, bytes: 1e6 }, new Availability(), async (records) => {
      await gate;
      written.push(...records);
    });
    offering.add(many(0, 8));
    expect(offering.queue).toMatchObject({ length: 5, dropped: 3 });
    open();
    await offering.close();
    expect(written).toEqual(many(3, 5));
    expect(offering.queue.bytes).toBe(0);
    const small = new Offering({ records: 100, bytes: 1_000 }, new Availability(), async () => {});
    small.add(many(0, 50));
    expect(small.queue.bytes).toBeLessThanOrEqual(1_000);
    await small.close();
  });

  it('makes no one who keeps something wait for ever (S5.2)', async () => {
    const silent = { query: () => new Promise<never>(() => undefined) };
    const writer = new StoreWriter({ offers: silent, keeps: silent, keepWithinMs: 50 });
    await expect(writer.keep(many(0, 1))).rejects.toThrow(/has not answered within 0.05 s/);
  });

  it('is kept together with what others keep at the same time (S5.2)', async () => {
    const store = await server.store();
    await Promise.all(Array.from({ length: 200 }, (_, index) => store.writer.keep(many(index * 5, 5))));
    expect(store.writer.measures()).toMatchObject({ kept: 1_000, failures: 0 });
    expect(await store.query('select count(*)::int as n from reeve_data.operations where kept')).toEqual([
      { n: 1_000 },
    ]);
  });
});
