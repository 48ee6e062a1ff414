import { describe, expect, it } from 'vitest';
import { toldWaits, type RecordedWait } from '../../src/protocol/records.js';
import { namesOf } from '../../src/protocol/record-names.js';
import {
  retentionFrom,
  readChanges,
  readFeed,
  readListeners,
  readPosition,
  writePosition,
} from '../../src/store/index.js';
import { trimChanges } from '../../src/store/feed/trim-changes.js';
import { StoreWriter } from '../../src/store/writing/writer.js';
import { entity, event, START, standing, transition } from './records.js';
import { useServer, type TestStore } from './server.js';

const server = useServer();

/** Tells what happens to an entity: an event, and transitions that come of it. */
function story(first: number, last: number, key = 'orders') {
  const of = { entity: entity(key), operation: `create-${key}` };
  const versions = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return [
    event(`create-${key}`, of),
    ...versions.map((version) => transition(version, { ...of, event: `create-${key}` })),
    standing(last, { entity: entity(key) }),
  ];
}

async function fed({ reader }: TestStore, after = 0) {
  const { changes } = await readChanges(reader, { after, most: 1_000 });
  return changes.map(({ position, entity_key: key, version }) => `${position} ${key} ${version}`);
}

describe('the feed of changes (A6)', () => {
  it('has what was kept, once, in the order of each entity, and under growing positions', async () => {
    const store = await server.store();
    await store.writer.keep([...story(1, 3), ...story(1, 2, 'other')]);
    await store.writer.keep(story(2, 4));
    await store.writer.keep(story(2, 4));
    expect(await fed(store)).toEqual([
      '1 orders 1',
      '2 orders 2',
      '3 orders 3',
      '4 other 1',
      '5 other 2',
      '6 orders 4',
    ]);
    const [change] = (await readChanges(store.reader, { after: 5, most: 1 })).changes;
    expect(change).toMatchObject({
      ...{ entity_type: 'LogicalServer', entity_key: 'orders', version: 4, life: 'life of orders' },
      ...{
        operation: 'create-orders',
        event: 'create',
        action_name: 'install',
        end_state: 'Ready',
        outcome: 'success',
      },
    });
  });

  it('has nothing that was only offered, and has it when it is confirmed', async () => {
    const store = await server.store();
    store.writer.offer(story(1, 3));
    await store.writer.confirm(namesOf('life of orders', [], false));
    expect(await store.query('select count(*)::integer as n from reeve_data.transitions')).toEqual([{ n: 3 }]);
    expect(await fed(store)).toEqual([]);
    const lost = transition(3, { at: START + 99 });
    const lacking = await store.writer.confirm(namesOf('life of orders', [...story(1, 2), lost], true));
    expect(lacking).toContain('transition/3');
    expect(await fed(store)).toEqual(['1 orders 1', '2 orders 2']);
    await store.writer.keep([lost]);
    expect(await fed(store, 2)).toEqual(['3 orders 3']);
  });

  it('lets what comes too early wait, until what was before it has come', async () => {
    const store = await server.store();
    await store.writer.keep(story(4, 5));
    await store.writer.keep(story(8, 9));
    expect(await fed(store)).toEqual([]);
    await store.writer.keep(story(1, 2));
    expect(await fed(store)).toEqual(['1 orders 1', '2 orders 2']);
    await store.writer.keep(story(3, 3));
    expect(await fed(store, 2)).toEqual(['3 orders 3', '4 orders 4', '5 orders 5']);
    await store.writer.keep(story(6, 7));
    expect(await fed(store, 5)).toEqual(['6 orders 6', '7 orders 7', '8 orders 8', '9 orders 9']);
    expect(await store.query('select * from reeve_data.fed_ahead')).toEqual([]);
  });

  it('takes what a witness has seen for certain, while the rest of its records has yet to come', async () => {
    const store = await server.store();
    const [begun, first, second] = story(1, 2);
    store.writer.offer([begun!, first!]);
    await store.writer.confirm(namesOf('life of orders', [], false));
    const transitions = [first!, second!] as ReturnType<typeof transition>[];
    await store.writer.feed.append({ transitions, waits: [] });
    expect(await fed(store)).toEqual(['1 orders 1', '2 orders 2']);
    await store.writer.keep(story(1, 3));
    expect(await fed(store, 2)).toEqual(['3 orders 3']);
    // The event was not taken for a phantom meanwhile.
    expect(await store.query('select id from reeve_data.events')).toEqual([{ id: 'create-orders' }]);
  });

  describe('of what entities wait for', () => {
    const approval = { kind: 'answer', on: 'approvals.ask', since: START, until: START + 9_000 } as const;
    const booking = { kind: 'reservation', on: 'Berth/b1', until: START + 9_000 } as const;
    /** The record of an entity that waits, a while after its transition. */
    const waiting = (version: number, after: number, ...waits: readonly RecordedWait[]) =>
      standing(version, { at: START + version + after, ...(waits.length > 0 && { waits }) });
    const told = (after: number, version: number, ...waits: readonly RecordedWait[]) =>
      toldWaits(waiting(version, after, ...waits));
    const read = async ({ reader }: TestStore, kinds?: readonly string[]) => {
      const { changes } = await readChanges(reader, { after: 0, most: 100, kinds });
      return changes.map(({ kind, version, waits }) =>
        kind === 'waits'
          ? `${version} waits for ${(waits as readonly RecordedWait[]).map(({ on }) => on).join()}`
          : `${version}`,
      );
    };

    it('tells it after the transition of its version, each time that it changes, and when it ends (append-changes.4)', async () => {
      const store = await server.store();
      await store.writer.keep([...story(1, 2).slice(0, 3), waiting(2, 10, approval)]);
      await store.writer.keep([waiting(2, 10, approval)]);
      await store.writer.keep([waiting(2, 20, approval, booking)]);
      await store.writer.keep([waiting(2, 30)]);
      // It was told before that it waits for nothing, so this is old.
      await store.writer.keep([waiting(2, 25, booking)]);
      expect(await read(store)).toEqual([
        '1',
        '2',
        '2 waits for approvals.ask',
        '2 waits for approvals.ask,Berth/b1',
        '2 waits for ',
      ]);
      expect(await read(store, ['transition'])).toEqual(['1', '2']);
      expect(await read(store, ['waits'])).toHaveLength(3);
    });

    it('tells nothing of entities that wait for nothing, and does not repeat what a transition has ended', async () => {
      const store = await server.store();
      await store.writer.keep(story(1, 2));
      await store.writer.keep([waiting(2, 10, approval)]);
      await store.writer.keep(story(3, 4));
      await store.writer.keep([waiting(4, 10, approval)]);
      expect(await read(store)).toEqual(['1', '2', '2 waits for approvals.ask', '3', '4', '4 waits for approvals.ask']);
    });

    it('lets it wait until its transition has come, and leaves out what comes after the next one (append-changes.4)', async () => {
      const store = await server.store();
      await store.writer.keep(story(1, 1).slice(0, 2));
      await store.writer.feed.append({ transitions: [], waits: [told(10, 3, approval)] });
      expect(await read(store)).toEqual(['1']);
      await store.writer.keep(story(2, 3).slice(1, 3));
      expect(await read(store)).toEqual(['1', '2', '3', '3 waits for approvals.ask']);
      await store.writer.feed.append({ transitions: [], waits: [told(20, 2, booking)] });
      await store.writer.keep(story(4, 4).slice(1, 2));
      await store.writer.feed.append({ transitions: [], waits: [told(900, 3, booking)] });
      expect(await read(store)).toEqual(['1', '2', '3', '3 waits for approvals.ask', '4']);
    });

    it('tells what was only offered when that is confirmed, and not when it was said at another time', async () => {
      const store = await server.store();
      const records = [...story(1, 2).slice(0, 3), waiting(2, 10, approval)];
      store.writer.offer(records);
      await store.writer.confirm(namesOf('life of orders', [], false));
      expect(await read(store)).toEqual([]);
      const lost = waiting(2, 11, booking);
      await store.writer.confirm(namesOf('life of orders', [...records.slice(0, 3), lost], true));
      expect(await read(store)).toEqual(['1', '2']);
      await store.writer.confirm(namesOf('life of orders', records, true));
      expect(await read(store)).toEqual(['1', '2', '2 waits for approvals.ask']);
    });
  });

  it('gives every change once to those who read while many write at the same time', async () => {
    const store = await server.store();
    const writers = Array.from({ length: 4 }, () => server.writerOn(store.url));
    const writing = writers.map(async (writer, which) => {
      for (let version = 1; version <= 30; version++) {
        await Promise.all(Array.from({ length: 5 }, (_, n) => writer.keep(story(version, version, `k${which}-${n}`))));
      }
    });
    let writes = true;
    const done = Promise.all(writing).finally(() => (writes = false));
    const seen: { readonly key: string; readonly version: number; readonly position: number }[] = [];
    for (let after = 0, last = false; !last;) {
      last = !writes;
      const { changes, upTo } = await readChanges(store.reader, { after, most: 50 });
      seen.push(...changes.map(({ entity_key: key, version, position }) => ({ key, version, position })));
      if (upTo > after) last = false;
      after = upTo;
    }
    await done;
    expect(seen.map(({ position }) => position)).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
    for (const key of new Set(seen.map((each) => each.key))) {
      const versions = seen.filter((each) => each.key === key).map(({ version }) => version);
      expect(versions, key).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    }
    await Promise.all(writers.map((writer) => writer.close()));
  });

  it('is read by type and tenant, and goes on after what others have', async () => {
    const store = await server.store();
    const mine = story(1, 2).map((record) => (record.kind === 'transition' ? { ...record, tenant: 'mine' } : record));
    await store.writer.keep([...mine, ...story(1, 3, 'other')]);
    const read = (asked: { types?: string[]; tenant?: string }) =>
      readChanges(store.reader, { after: 0, most: 10, ...asked });
    expect(await read({ types: ['Alias'] })).toEqual({ changes: [], upTo: 5 });
    expect((await read({ types: ['LogicalServer'] })).changes).toHaveLength(5);
    const ofMine = await read({ tenant: 'mine' });
    expect(ofMine.changes.map(({ entity_key: key }) => key)).toEqual(['orders', 'orders']);
    expect(ofMine.upTo).toBe(5);
  });

  it('keeps changes for a set time, and says where it begins', async () => {
    const store = await server.store();
    await store.writer.keep(story(1, 5));
    const database = { query: async ({ text, values }: { text: string; values: unknown[] }) => rowsOf(text, values) };
    const rowsOf = async (text: string, values: unknown[]) => {
      const rows = await store.query(text, values);
      return { rows, rowCount: rows.length };
    };
    await store.query(`update reeve_data.changes set at = now() - interval '8 days' where position <= 3`);
    await trimChanges(database, new Date(Date.now() - retentionFrom({}).changesKeptMs));
    expect(await readFeed(store.reader)).toMatchObject({ trimmed: 3, position: 5 });
    expect(await fed(store)).toEqual(['4 orders 4', '5 orders 5']);
    const [{ at }] = (await store.query('select max(at) as at from reeve_data.changes')) as [{ at: Date }];
    const brief = new StoreWriter({ offers: database, keeps: database, changesKeptMs: Date.now() - at.getTime() - 1 });
    await brief.keep(story(6, 6));
    expect(await readFeed(store.reader)).toMatchObject({ trimmed: 5, position: 6 });
    expect(await fed(store)).toEqual(['6 orders 6']);
  });

  it('is trimmed after the time that REEVE_CHANGES_RETENTION names', () => {
    expect(retentionFrom({ REEVE_CHANGES_RETENTION: '12h' }).changesKeptMs).toBe(12 * 3_600_000);
    expect(() => retentionFrom({ REEVE_CHANGES_RETENTION: 'a while' })).toThrow(/REEVE_CHANGES_RETENTION is 'a while'/);
  });

  it('is wanted while somebody listens, and shows how far behind they are (L4)', async () => {
    const store = await server.store();
    const { writer } = store;
    expect(await writer.feed.isWanted()).toBe(false);
    await writer.keep(story(1, 5));
    await writer.noteListener({ name: 'billing', position: 2 });
    expect(await writer.feed.isWanted()).toBe(true);
    const [billing] = await readListeners(store.reader);
    expect(billing).toMatchObject({ name: 'billing', position: 2, behind: 3 });
    expect(billing!.lag_seconds).toBeGreaterThan(0);
    await writer.noteListener({ name: 'billing', position: 5 });
    expect(await readListeners(store.reader)).toMatchObject([{ behind: 0, lag_seconds: 0 }]);
    await store.query(`update reeve_data.feed_listeners set seen_at = now() - interval '3 minutes'`);
    expect(await writer.feed.isWanted()).toBe(false);
  });

  it('has positions that name their store, so that those of another one are noticed', async () => {
    const { store, position: number } = await readFeed((await server.store()).reader);
    const text = writePosition({ store, number });
    expect(readPosition(text)).toEqual({ store, number });
    for (const wrong of ['', 'now', '12', `${store}-`, `${store}-1e3`, `${store}--1`, `-1`, 'A-1'])
      expect(readPosition(wrong), wrong).toBeUndefined();
  });
});
