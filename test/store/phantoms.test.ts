import { describe, expect, it } from 'vitest';
import type { StoreRecord } from '../../src/protocol/records.js';
import { rebuild } from '../../src/store/rebuild.js';
import type { ReplayedRun } from '../../src/temporal/replay-records.js';
import { createPool } from '../../src/store/pool.js';
import { writeKept, writeOffered } from '../../src/store/writing/write-records.js';
import { entity, event, operation, standing, START, transition } from './records.js';
import { useServer, type TestStore } from './server.js';

const server = useServer();
const exception = { kind: 'defect' as const, code: 'defect', message: 'TypeError: x' };

/** The records of what really happened. */
const REAL: readonly StoreRecord[] = [
  operation('create-orders', { outcome: 'success', endedAt: START + 20 }),
  event('create-orders', { endedAt: START + 20, endState: 'Ready', endHealth: 'normal' }),
  transition(1),
  transition(2, { at: START + 20 }),
  standing(2, { at: START + 20 }),
];
/** The operation that a lost task had opened. */
const OPENED = operation('lost', { startedAt: START + 9 });
/** The decisions of a lost task: another end of the event, a state beyond, and an event that nobody raised again. */
const PHANTOMS: readonly StoreRecord[] = [
  event('lost', { operation: 'lost', startVersion: 2, startedAt: START + 9, exception }),
  event('create-orders', { endedAt: START + 9, endState: 'Failed', endHealth: 'error' }),
  transition(2, { at: START + 9, endState: 'Failed', outcome: 'failed', error: exception }),
  transition(3, { at: START + 9, event: 'lost', operation: 'lost' }),
  standing(3, { state: 'Failed', at: START + 9 }),
];

async function rows({ query }: TestStore) {
  const tables = ['operations', 'events', 'transitions', 'entities'];
  return Promise.all(
    tables.map((t) => query(`select to_jsonb(t) - 'written_at' as row from reeve_data.${t} t order by 1`)),
  );
}

async function write(store: TestStore, steps: readonly ['offer' | 'keep', readonly StoreRecord[]][]): Promise<void> {
  const pool = createPool({ url: store.url, connections: 1, name: 'test' });
  const refused = (table: string, _: object, reason: string) => {
    throw new Error(`${table}: ${reason}`);
  };
  for (const [how, records] of steps) await (how === 'keep' ? writeKept : writeOffered)(pool, records, refused);
  await pool.end();
}

async function* replayed(runs: readonly ReplayedRun[]): AsyncGenerator<ReplayedRun> {
  yield* runs;
}

describe('what was only offered and never happened', () => {
  it.each<[string, readonly ['offer' | 'keep', readonly StoreRecord[]][]]>([
    [
      'is gone when what happened is kept',
      [
        ['offer', [OPENED, ...PHANTOMS]],
        ['keep', REAL],
      ],
    ],
    [
      'does not come in afterwards',
      [
        ['keep', REAL],
        ['offer', PHANTOMS],
      ],
    ],
    [
      'does neither when what happened is offered too',
      [
        ['offer', PHANTOMS],
        ['offer', REAL],
        ['keep', REAL],
      ],
    ],
    [
      'leaves nothing when it comes between',
      [
        ['offer', REAL],
        ['offer', [OPENED, ...PHANTOMS]],
        ['keep', REAL],
      ],
    ],
  ])('%s (S5.2)', async (_, steps) => {
    const store = await server.store();
    await write(store, [['keep', REAL]]);
    const expected = await rows(store);
    const other = await server.store();
    await write(other, steps);
    expect(await rows(other)).toEqual(expected);
  });

  it('is told from what is newer than what is kept, which stays (S5.2)', async () => {
    const store = await server.store();
    const newer = [
      operation('scale', { startedAt: START + 30 }),
      event('scale', { operation: 'scale', startVersion: 2, startedAt: START + 30 }),
      transition(3, { at: START + 31, event: 'scale', operation: 'scale' }),
      standing(3, { at: START + 31 }),
    ];
    await write(store, [
      ['offer', [...REAL, ...newer]],
      ['keep', REAL],
    ]);
    expect(await store.query('select version from reeve_data.entities')).toEqual([{ version: 3 }]);
    expect(await store.query('select version from reeve_data.transitions order by 1')).toHaveLength(3);
    expect(await store.query('select id from reeve_data.events')).toHaveLength(2);
    expect(await store.query('select name from reeve_data.operations')).toHaveLength(2);
  });

  it('never takes away what was kept before, also when the end of an event is all that is kept now (S5.2)', async () => {
    const store = await server.store();
    await write(store, [
      ['keep', REAL],
      ['keep', [event('late', { startVersion: 0, endedAt: START + 99 })]],
    ]);
    expect(await store.query('select version from reeve_data.transitions order by 1')).toHaveLength(2);
    expect(await store.query('select id from reeve_data.events')).toHaveLength(2);
  });

  it('leaves an event that was kept while it ran, and of which only an end was offered (S5.2)', async () => {
    const store = await server.store();
    const [opened, ended] = [event('e'), event('e', { endedAt: START + 9, endState: 'Failed' })];
    await write(store, [
      ['offer', [ended]],
      ['keep', [opened]],
      ['keep', [transition(5), standing(5)]],
    ]);
    expect(await store.query('select id from reeve_data.events')).toEqual([{ id: 'e' }]);
    await write(store, [['keep', [event('e', { endedAt: START + 50, endState: 'Ready' })]]]);
    expect(await store.query('select end_state from reeve_data.events')).toEqual([{ end_state: 'Ready' }]);
  });

  it('are gone, or covered, as soon as a later task of the entity is heard of, and nothing is kept yet (S5.2)', async () => {
    const store = await server.store();
    const lost = event('later', { operation: 'lost', startVersion: 3, startedAt: START + 9 });
    const overtaking = [transition(2, { at: START + 20 }), standing(2, { at: START + 20 })];
    await write(store, [
      ['offer', [transition(1), ...PHANTOMS, lost, OPENED]],
      ['offer', overtaking],
    ]);
    const standing2 = await store.reader.selectFrom('entities').select(['state', 'version']).execute();
    expect(standing2).toEqual([{ state: 'Ready', version: 2 }]);
    const [, events, transitions] = await rows(store);
    expect(transitions).toMatchObject([{ row: { version: 1 } }, { row: { version: 2, end_state: 'Ready' } }]);
    expect(JSON.stringify(events)).not.toContain('"later"');
  });

  it('that arrive after what overtakes them cover nothing (S5.2)', async () => {
    const store = await server.store();
    await write(store, [
      ['offer', [transition(1), transition(2, { at: START + 20 }), standing(2, { at: START + 20 })]],
      ['offer', [standing(3, { state: 'Failed', at: START + 9 })]],
    ]);
    expect(await store.reader.selectFrom('entities').select('state').execute()).toEqual([{ state: 'Ready' }]);
  });

  it('are gone when the rows are made again from a history that ends before them, also of an entity that never came to be (S5.2)', async () => {
    const store = await server.store();
    const expected = await server.store();
    const life = entity().life;
    const run: ReplayedRun = { workflowId: 'w', runId: 'r', records: REAL, told: { life, until: START + 60_000 } };
    const never = { entity: entity('never'), startedAt: START + 3, operation: 'never' };
    const unborn: ReplayedRun = {
      ...{ workflowId: 'w2', runId: 'r2', records: [] },
      told: { life: never.entity.life, until: START + 60_000, unborn: true },
    };
    const later = [
      operation('later', { startedAt: START + 90_000 }),
      event('later', { operation: 'later', startVersion: 2, startedAt: START + 90_000 }),
    ];
    for (const each of [store, expected]) await write(each, [['keep', REAL]]);
    await write(expected, [['offer', later]]);
    // The entity rests since, and nobody hears of it any more.
    await write(store, [
      [
        'offer',
        [
          operation('lost', { startedAt: START + 30 }),
          event('lost', { operation: 'lost', startVersion: 2, startedAt: START + 30 }),
          transition(3, { at: START + 31, event: 'lost', operation: 'lost' }),
          standing(3, { state: 'Failed', at: START + 31 }),
          operation('never', { startedAt: START + 3 }),
          event('never', never),
          transition(1, { ...never, at: START + 4, event: 'never' }),
          standing(1, { entity: never.entity, at: START + 4 }),
          ...later,
        ],
      ],
    ]);
    expect(await rows(store)).not.toEqual(await rows(expected));
    await rebuild(store, replayed([run, unborn]));
    expect(await rows(store)).toEqual(await rows(expected));
  });

  it('are not taken for what an entity does in one task after the other, in whatever order it arrives (S5.2)', async () => {
    const store = await server.store();
    const real = [1, 2, 3, 4].map((version) => transition(version));
    await write(store, [
      ['offer', [real[3]!, standing(4)]],
      ['offer', [real[1]!, real[0]!, standing(2)]],
      ['offer', [real[2]!]],
    ]);
    const [, , transitions] = await rows(store);
    expect(transitions).toHaveLength(4);
    expect(await store.reader.selectFrom('entities').select('version').execute()).toEqual([{ version: 4 }]);
  });
});
