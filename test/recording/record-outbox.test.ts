import { describe, expect, it } from 'vitest';
import type { OperationRecord, StoreRecord } from '../../src/protocol/records.js';
import { RecordOutbox } from '../../src/recording/record-outbox.js';

const operation = (id: string, more: Partial<OperationRecord> = {}): OperationRecord => ({
  kind: 'operation',
  ...{ id, name: id, startedAt: 0, answeredAt: 0, outcome: 'running', restarts: 0, dimensions: {} },
  ...more,
});

/** A store that keeps when it is there, and forgets all that it is only offered. */
function world() {
  const offered: StoreRecord[][] = [];
  const kept: StoreRecord[] = [];
  const handed: (readonly StoreRecord[])[] = [];
  const aside: boolean[] = [];
  const state = { now: 0, away: false, offered, kept, handed, aside };
  const driver = {
    offer: (records: readonly StoreRecord[]) => void offered.push([...records]),
    keep: (records: readonly StoreRecord[], aside: boolean) => {
      state.aside.push(aside);
      if (!state.away) kept.push(...records);
      return Promise.resolve(!state.away);
    },
    handOn: (records: readonly StoreRecord[]) => {
      handed.push(records);
      return Promise.resolve();
    },
  };
  return { state, driver, outbox: new RecordOutbox(driver, () => state.now) };
}

describe('the outbox towards the store (S5.2)', () => {
  it('offers what is new once, the newest of each name, and has it until it is kept (Z1)', async () => {
    const { state, outbox } = world();
    outbox.put(operation('a'));
    outbox.put(operation('a', { outcome: 'success', endedAt: 1 }));
    outbox.put(operation('b'));
    outbox.offer();
    outbox.offer();
    expect(state.offered).toEqual([[operation('a', { outcome: 'success', endedAt: 1 }), operation('b')]]);
    expect(outbox.carried()?.records).toHaveLength(2);
    await outbox.keep();
    expect(state.kept).toHaveLength(2);
    expect(outbox.carried()).toBeUndefined();
    expect(outbox.due).toBe(false);
  });

  it('has what came while it kept, also a newer one of the same name (Z1)', async () => {
    const { state, outbox } = world();
    outbox.put(operation('a'));
    const keeping = outbox.keep();
    outbox.put(operation('a', { outcome: 'hung' }));
    expect(outbox.idle).toBe(false);
    await keeping;
    expect(state.kept).toEqual([operation('a')]);
    expect(outbox.carried()?.records).toEqual([operation('a', { outcome: 'hung' })]);
  });

  it('tries again with growing delay while the store is away, also in the next run (Z2)', async () => {
    const { state, driver, outbox } = world();
    state.away = true;
    outbox.put(operation('a'));
    const delays: number[] = [];
    let last = outbox;
    for (let times = 0; times < 10; times++) {
      await last.keep();
      expect(last.due).toBe(false);
      delays.push(last.retryAt! - state.now);
      state.now = last.retryAt!;
      expect(last.due).toBe(true);
      last = new RecordOutbox(driver, () => state.now, last.carried());
    }
    expect(delays.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(Math.max(...delays)).toBe(300_000);
    state.away = false;
    await last.keep();
    expect(state.kept).toEqual([operation('a')]);
    expect(last.retryAt).toBeUndefined();
  });

  it('keeps aside what is a lot, and when the store was away a moment ago: nothing waits for that (Z2)', async () => {
    const { state, outbox } = world();
    for (let index = 0; index < 256; index++) outbox.put(operation(`o${index}`));
    outbox.offer();
    await outbox.keep();
    expect(state.kept).toHaveLength(256);
    expect(state.aside).toEqual([true]);
    outbox.put(operation('at rest'));
    await outbox.keep();
    state.away = true;
    outbox.put(operation('later'));
    await outbox.keep();
    state.away = false;
    await outbox.keep();
    outbox.put(operation('at rest again'));
    await outbox.keep();
    expect(state.aside).toEqual([true, false, false, true, false]);
  });

  it('leaves all that cannot be kept to carriers, in pieces, when the workflow ends (Z2, Z3)', async () => {
    const { state, outbox } = world();
    state.away = true;
    const records = Array.from({ length: 40 }, (_, index) => operation(`o${index}`, { name: 'x'.repeat(10_000) }));
    for (const record of records) outbox.put(record);
    await outbox.leave();
    expect(state.handed.length).toBeGreaterThan(2);
    for (const piece of state.handed) expect(JSON.stringify(piece).length).toBeLessThan(140_000);
    expect(state.handed.flat()).toEqual(records);
    expect(outbox.carried()).toBeUndefined();
  });

  it('carries no more than its budget into the next run (Z3)', async () => {
    const { state, outbox } = world();
    state.away = true;
    outbox.put(operation('small'));
    await outbox.keep();
    expect(state.handed).toEqual([]);
    outbox.put(operation('large', { name: 'x'.repeat(200_000) }));
    state.now = outbox.retryAt!;
    await outbox.keep();
    expect(state.handed.flat()).toHaveLength(2);
    expect(outbox.carried()).toBeUndefined();
  });
});
