import { describe, expect, it } from 'vitest';
import type { OperationRecord, StoreRecord } from '../../src/protocol/records.js';
import type { RecordAmounts, RecordDriver } from '../../src/recording/driver.js';
import { RecordOutbox } from '../../src/recording/record-outbox.js';
import { RecordShelf } from '../../src/simulation/record-shelf.js';
import { event, operation as storeOperation, START, transition } from '../store/records.js';

const operation = (id: string, more: Partial<OperationRecord> = {}) =>
  storeOperation(id, { name: id, startedAt: 0, answeredAt: 0, ...more });

/** An event that settles at once, as an entity tells of it. */
const happening = (version: number, values: { readonly text?: string } = {}): readonly StoreRecord[] => {
  const at = START + version;
  const id = `event-${version}`;
  return [
    transition(version, { at, ...(values.text !== undefined && { action: values.text }) }),
    event(id, { startedAt: at, endedAt: at }),
    operation(id, { outcome: 'success', startedAt: at, endedAt: at }),
  ];
};

/** A store that can be away, and that can lose what it is only offered. */
function world(amounts: Partial<RecordAmounts> = {}) {
  const shelf = new RecordShelf();
  const state = {
    now: START,
    away: false,
    losesOffers: false,
    shelf,
    offered: [] as StoreRecord[][],
    kept: [] as StoreRecord[],
    handed: [] as (readonly StoreRecord[])[],
    /** All that the store was asked for, in order, and whether aside. */
    calls: [] as string[],
    /** While it is set, the store answers when it is over. */
    gate: undefined as Promise<void> | undefined,
  };
  const driver: RecordDriver = {
    amounts: { few: 8, many: 30, asked: 12, most: 300, ...amounts },
    offer: (records) => {
      state.offered.push([...records]);
      if (!state.losesOffers) shelf.take(records);
    },
    confirm: async (names, aside) => {
      state.calls.push(`confirm${names.complete ? ' all' : ''}${aside ? ' aside' : ''}`);
      await state.gate;
      return state.away ? undefined : shelf.lacking(names);
    },
    keep: async (records, aside) => {
      state.calls.push(`keep ${records.length}${aside ? ' aside' : ''}`);
      await state.gate;
      if (state.away) return false;
      shelf.take(records);
      state.kept.push(...records);
      return true;
    },
    recall: async (of, ids) => {
      state.calls.push(`recall ${ids.join(' ')}`);
      return state.away ? undefined : shelf.recall(of, ids);
    },
    handOn: async (records) => void state.handed.push(records),
  };
  const next = (last?: RecordOutbox) => new RecordOutbox(driver, () => state.now, last?.carried());
  const outbox = next();
  const put = (records: readonly StoreRecord[]) => {
    for (const record of records) outbox.put(record);
  };
  return { state, outbox, next, put };
}

/** Tries to keep, and waits for it also where nothing else does. */
async function keep(outbox: RecordOutbox): Promise<void> {
  await outbox.keep();
  while (!outbox.idle) await new Promise(setImmediate);
}

describe('the outbox towards the store (S5.2)', () => {
  it('offers what is new once, the newest of each name, and has it until it is kept (record-outbox.1)', async () => {
    const { state, outbox } = world();
    outbox.put(operation('a'));
    outbox.put(operation('a', { outcome: 'success', endedAt: 1 }));
    outbox.put(operation('b'));
    outbox.offer();
    outbox.offer();
    expect(state.offered).toEqual([[operation('a', { outcome: 'success', endedAt: 1 }), operation('b')]]);
    expect(outbox.carried()?.records).toHaveLength(2);
    await keep(outbox);
    expect(state.kept).toHaveLength(2);
    expect(outbox.carried()).toBeUndefined();
    expect(outbox.due).toBe(false);
  });

  it('has what came while it kept, also a newer one of the same name (record-outbox.1)', async () => {
    const { state, outbox } = world();
    outbox.put(operation('a'));
    const keeping = keep(outbox);
    outbox.put(operation('a', { outcome: 'hung' }));
    expect(outbox.idle).toBe(false);
    await keeping;
    expect(state.kept).toEqual([operation('a')]);
    expect(outbox.carried()?.records).toEqual([operation('a', { outcome: 'hung' })]);
  });

  it('tries again with growing delay while the store is unavailable, also in the next run (record-outbox.2)', async () => {
    const { state, outbox, next } = world();
    state.away = true;
    outbox.put(operation('a'));
    const delays: number[] = [];
    let last = outbox;
    for (let times = 0; times < 10; times++) {
      await keep(last);
      expect(last.due).toBe(false);
      delays.push(last.retryAt! - state.now);
      state.now = last.retryAt!;
      expect(last.due).toBe(true);
      last = next(last);
    }
    expect(delays.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(Math.max(...delays)).toBe(300_000);
    state.away = false;
    await keep(last);
    expect(state.kept).toEqual([operation('a')]);
    expect(last.retryAt).toBeUndefined();
  });

  it('asks for what is a lot, aside, and sends again only what the store lacks (record-outbox.2, record-outbox.4)', async () => {
    const { state, outbox, put } = world();
    put(happening(1));
    outbox.offer();
    expect(state.calls).toEqual([]);
    state.losesOffers = true;
    put(happening(2));
    outbox.offer();
    state.losesOffers = false;
    for (let version = 3; version <= 10; version++) put(happening(version));
    outbox.offer();
    await keep(outbox);
    expect(state.calls).toEqual(['confirm aside', 'confirm aside', 'confirm all aside', 'keep 3 aside']);
    expect(state.kept).toEqual(happening(2));
    expect(outbox.carried()).toBeUndefined();
  });

  it('sends again what the store has only from a lost task, told by its time (record-outbox.4)', async () => {
    const { state, outbox, put } = world({ few: 0 });
    const at = START - 5;
    state.shelf.take([transition(1, { at }), event('event-1', { startedAt: at }), operation('event-1')]);
    state.losesOffers = true;
    put(happening(1));
    put([operation('runs')]);
    state.now += 60_000;
    await keep(outbox);
    expect(state.calls).toEqual(['confirm all', 'keep 4']);
    expect(state.shelf.get('transition 1 of life of orders')).toEqual(happening(1)[0]);
  });

  it('keeps few without asking, and asks for more without delay when it has been at rest (record-outbox.2)', async () => {
    const { state, outbox, put } = world();
    put(happening(1));
    outbox.offer();
    await keep(outbox);
    for (let version = 2; version <= 5; version++) put(happening(version));
    outbox.offer();
    outbox.rest();
    await keep(outbox);
    expect(state.calls).toEqual(['keep 3', 'confirm all']);
    expect(outbox.due).toBe(false);
  });

  it('at the end of a busy run asks aside, and carries what has come meanwhile; that is asked for at once (record-outbox.2)', async () => {
    const { state, outbox, next, put } = world();
    for (let version = 1; version <= 5; version++) put(happening(version));
    outbox.offer();
    const keeping = keep(outbox);
    for (let version = 6; version <= 8; version++) put(happening(version));
    outbox.offer();
    await keeping;
    expect(state.calls).toEqual(['confirm aside', 'confirm all aside']);
    expect(outbox.due).toBe(false);
    const after = next(outbox);
    expect(after.carried()?.records).toHaveLength(9);
    after.offer();
    expect(state.calls).toEqual(['confirm aside', 'confirm all aside', 'confirm all aside']);
    await keep(after);
    expect(after.carried()).toBeUndefined();
  });

  it('at the end of a busy run asks aside three times while too much comes to be carried, and then waits (record-outbox.2, record-outbox.3)', async () => {
    const { state, outbox, put } = world();
    const text = 'x'.repeat(50_000);
    let version = 0;
    const comes = (count: number) => {
      for (const until = version + count; version < until;) put(happening(++version, { text }));
      outbox.offer();
    };
    comes(15);
    for (const aside of [true, true, true, false]) {
      state.calls.splice(0);
      const keeping = keep(outbox);
      if (aside) comes(15);
      await keeping;
      expect(new Set(state.calls.map((call) => call.endsWith('aside')))).toEqual(new Set([aside]));
      expect(outbox.due).toBe(aside);
    }
    expect(outbox.carried()).toBeUndefined();
  });

  it('keeps aside when the store was unavailable a moment ago: nothing waits for that (record-outbox.2)', async () => {
    const { state, outbox } = world();
    state.away = true;
    outbox.put(operation('later'));
    await keep(outbox);
    state.away = false;
    expect(outbox.news).toBe(true);
    outbox.offer();
    expect(outbox.news).toBe(false);
    state.now = outbox.retryAt!;
    await outbox.keep();
    expect(outbox.idle).toBe(false);
    expect(outbox.retryAt).toBeUndefined();
    await keep(outbox);
    outbox.put(operation('at rest again'));
    await keep(outbox);
    expect(state.calls).toEqual(['keep 1', 'keep 1 aside', 'keep 1']);
  });

  it('forgets nothing that the store has not said it has, at whichever call it goes away (S5.2)', async () => {
    for (const call of ['confirm', 'confirm all', 'keep 12']) {
      const { state, outbox, put } = world();
      const all = Array.from({ length: 5 }, (_, index) => happening(index + 1));
      state.losesOffers = true;
      put(all.flat());
      outbox.offer();
      state.losesOffers = false;
      state.shelf.take(all[1]!);
      outbox.rest();
      Object.defineProperty(state, 'away', { get: () => state.calls.at(-1) === call });
      await keep(outbox);
      const left = outbox.carried()!.records;
      expect(all.flat().filter((record) => !left.includes(record) && !state.shelf.all().includes(record))).toEqual([]);
      expect(outbox.retryAt).toBe(state.now + 2_000);
    }
  });

  it('leaves all that cannot be kept to carriers, in pieces, when the workflow ends (record-outbox.2, record-outbox.3)', async () => {
    const { state, outbox } = world();
    state.away = true;
    const records = Array.from({ length: 40 }, (_, index) => operation(`o${index}`, { name: 'x'.repeat(20_000) }));
    for (const record of records) outbox.put(record);
    await outbox.leave();
    expect(state.handed.length).toBeGreaterThan(2);
    for (const piece of state.handed) expect(JSON.stringify(piece).length).toBeLessThan(270_000);
    expect(state.handed.flat()).toEqual(records);
    expect(outbox.carried()).toBeUndefined();
  });

  it('carries no more than its budget into the next run, also what came since the store is unavailable (record-outbox.3)', async () => {
    const { state, outbox } = world();
    state.away = true;
    outbox.put(operation('small'));
    await keep(outbox);
    expect(outbox.due).toBe(false);
    expect(state.handed).toEqual([]);
    outbox.put(operation('large', { name: 'x'.repeat(700_000) }));
    expect(outbox.due).toBe(true);
    await keep(outbox);
    expect(state.calls).toEqual(['keep 1']);
    expect(state.handed.flat()).toHaveLength(2);
    expect(outbox.carried()).toBeUndefined();
  });

  it('does not grow without bound while the store answers slowly: a carrier takes over (record-outbox.3)', async () => {
    const { state, outbox, put } = world();
    let open = () => {};
    state.gate = new Promise((resolve) => (open = resolve));
    for (let version = 1; version <= 150; version++) {
      put(happening(version));
      outbox.offer();
      await Promise.resolve();
      await Promise.resolve();
      expect(outbox.carried()?.records.length ?? 0).toBeLessThan(310);
    }
    expect(outbox.idle).toBe(false);
    expect(state.handed.flat().length).toBeGreaterThan(300);
    open();
    await outbox.leave();
    expect(outbox.idle).toBe(true);
    expect(outbox.carried()).toBeUndefined();
  });
});
