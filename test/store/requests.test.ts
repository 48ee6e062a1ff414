import { describe, expect, it } from 'vitest';
import { TABLES } from '../../src/store/names.js';
import { contentFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import { entity, event, operation, START } from './records.js';
import { useMortalServer } from './server.js';

const server = useMortalServer();
const of = { type: 'LogicalServer', key: 'orders', life: 'another' };
const fingerprint = contentFingerprint({ event: 'create' });
const ended = { endState: 'Ready', endHealth: 'normal', endVersion: 7, endedAt: START + 9 } as const;

describe('requests that only the store knows (S2.5)', () => {
  it('are told with life, content and outcome, in the order of no question', async () => {
    const { writer } = await server.store();
    const life = entity().life;
    await writer.keep([
      event('one', { ...ended, fingerprint, operation: 'one', ends: { outcome: 'success' } }),
      event('two', { ...ended, fingerprint, endDetails: { waiting: true } }),
    ]);
    const outcome = { state: 'Ready', version: 7, health: 'normal', waiting: false };
    const times = { startedAt: START, endedAt: ended.endedAt };
    const { requests, earlierLives } = await writer.recall({ of, ids: ['two', 'none', 'one'] });
    expect(earlierLives).toBe(true);
    expect(new Map(requests.map((request) => [request.id, request]))).toEqual(
      new Map([
        ['one', { id: 'one', event: 'create', fingerprint, operation: 'one', life, outcome, ...times }],
        [
          'two',
          {
            id: 'two',
            event: 'create',
            fingerprint,
            operation: 'create-orders',
            life,
            outcome: { ...outcome, waiting: true },
            ...times,
          },
        ],
      ]),
    );
    const same = await writer.recall({ of: { ...of, life }, ids: ['none'] });
    expect(same).toEqual({ requests: [], earlierLives: false });
    expect(await writer.recall({ of: { ...of, key: 'sales' }, ids: ['one'] })).toEqual({
      requests: [],
      earlierLives: false,
    });
  });

  it('carry what their operation came to, where they have opened it (S4.7)', async () => {
    const { writer } = await server.store();
    const error = { kind: 'needs_operator', code: 'too_large', message: 'it is: too large' } as const;
    await writer.keep([
      event('own', { ...ended, fingerprint, operation: 'own' }),
      operation('own', { outcome: 'failed', endedAt: START + 20, error }),
      event('caused', { ...ended, fingerprint, operation: 'own' }),
      event('stopped', { ...ended, fingerprint, operation: 'stopped' }),
      operation('stopped', { outcome: 'canceled', endedAt: START + 20 }),
      event('open', { ...ended, fingerprint, operation: 'open' }),
      operation('open', { outcome: 'hung' }),
    ]);
    const { requests } = await writer.recall({ of, ids: ['own', 'caused', 'stopped', 'open'] });
    const told = requests.map(({ id, outcome, followed }) => [id, outcome.error, outcome.canceled, followed]);
    expect(told.sort()).toEqual([
      ['caused', undefined, undefined, undefined],
      ['open', undefined, undefined, true],
      ['own', error, undefined, undefined],
      ['stopped', undefined, true, undefined],
    ]);
  });

  it('are not those which were only offered, rejected, or nobody can repeat', async () => {
    const { writer } = await server.store();
    writer.offer([event('offered', { ...ended, fingerprint })]);
    await writer.keep([event('rejected', { ...ended })]);
    expect((await writer.recall({ of, ids: ['offered', 'rejected'] })).requests).toEqual([]);
  });

  it('were lost with a life that was ended by hand, when they had not ended (S4.4)', async () => {
    const { writer } = await server.store();
    await writer.keep([event('torn', { fingerprint })]);
    const { requests } = await writer.recall({ of, ids: ['torn'] });
    expect(requests).toMatchObject([
      { id: 'torn', outcome: { state: 'Absent', version: 0, health: 'error', lost: true } },
    ]);
  });

  it('have ids of any characters', async () => {
    const { writer } = await server.store();
    const ids = ['with \u0000 zero', 'half \ud800 pair', 'quote \' \\ "', 'ü€😀'];
    await writer.keep(ids.map((id) => event(id, { ...ended, fingerprint })));
    const { requests } = await writer.recall({ of, ids });
    expect(requests.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it('are found by their key, however many there are', async () => {
    const store = await server.store();
    for (let first = 0; first < 1_000; first += 250) {
      await store.writer.keep(Array.from({ length: 250 }, (_, n) => event(`e${first + n}`, { ...ended, fingerprint })));
    }
    await store.query(`analyze ${TABLES}.events`);
    const plan = await store.query(
      `explain select 1 from unnest(array['e1', 'e999']) as asked(id) join ${TABLES}.events e on e.id = asked.id`,
    );
    expect(JSON.stringify(plan)).toContain('events_pkey');
  });

  it('cannot be told while it is away', async () => {
    const { writer } = await server.store();
    await server.stop();
    try {
      await expect(writer.recall({ of, ids: ['one'] })).rejects.toThrow(/store cannot be written to/);
    } finally {
      await server.start();
    }
  });
});
