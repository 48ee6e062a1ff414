import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventRecord, OperationRecord, StoreRecord } from '../../src/protocol/records.js';
import type { OperationSummary } from '../../src/service/summary/summary-schema.js';
import { event, operation, START, transition } from '../store/records.js';
import { useServer } from '../store/server.js';
import { DIMENSIONS, depots, OPERATOR, READER } from './depots.js';

const server = useServer();
const SUMMARY = '/api/operations/summary';
const at = (ms: number) => new Date(START + ms).toISOString();
/** The hour in which everything happens. */
const HOUR = { from: at(0), until: at(3_600_000) };

type Options = Readonly<Record<string, string>>;

/** An operation on a depot of acme, with its one event. */
function done(id: string, values: Partial<OperationRecord>, events: readonly Partial<EventRecord>[] = [{}]) {
  const dimensions = { tenant: 'acme', ...values.dimensions };
  const life = `life of ${id}`;
  const { startedAt = START, endedAt } = values;
  return [
    operation(id, { name: `open Depot/${id}`, ...values, dimensions }),
    ...events.map((each, index) =>
      event(`${id} ${index}`, {
        ...{ entity: { type: 'Depot', key: id, life }, operation: id, event: 'open', dimensions, startedAt },
        ...{ startVersion: index, ...(endedAt !== undefined && { endedAt, endState: 'Ready' }) },
        ...each,
      }),
    ),
  ];
}

/** Executions of an action in the first event of an operation. */
function attempts(id: string, count: number): readonly StoreRecord[] {
  const entity = { type: 'Depot', key: id, life: `life of ${id}` };
  return Array.from({ length: count }, (_, retries) =>
    transition(retries + 1, {
      ...{ entity, operation: id, event: `${id} 0`, ordinal: retries + 1, retries, tenant: 'acme' },
      ...(retries < count - 1 && { outcome: 'failed' as const }),
    }),
  );
}

async function asked(records: readonly StoreRecord[]) {
  const store = await server.store(DIMENSIONS);
  await store.writer.keep(records);
  const get = depots(store);
  return async (options: Options = HOUR, who = OPERATOR): Promise<OperationSummary> => {
    const { status, body } = await get(who, SUMMARY, options);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as unknown as OperationSummary;
  };
}

const STORY: readonly StoreRecord[] = [
  ...done('a', { endedAt: START + 1_000, outcome: 'success' }),
  ...done('b', { endedAt: START + 3_000, outcome: 'success', dimensions: { region: 'north' } }),
  ...attempts('b', 3),
  ...done('c', { endedAt: START + 2_000, outcome: 'failed', restarts: 2, dimensions: { region: 'south' } }),
  ...done('d', { endedAt: START + 500, outcome: 'canceled', name: 'close Depot/d' }),
  // One of its events is under way.
  ...done('e', { name: 'close Depot/e' }, [{ endedAt: START + 5, endState: 'Ready' }, {}]),
  ...done('f', { outcome: 'hung', name: 'close Depot/f' }),
  // All its entities rest.
  ...done('g', { name: 'close Depot/g' }, [{ endedAt: START + 5, endState: 'Ready' }]),
];

describe('the summary of operations (A4)', () => {
  it('counts what runs, waits, has ended and was done again, and says how long it took', async () => {
    const summary = await asked(STORY);
    const { all, groups } = await summary();
    expect(all).toEqual({
      ...{ total: 7, started: 7, running: 2, waiting: 1, hung: 1 },
      ...{ finished: 4, succeeded: 2, failed: 1, canceled: 1 },
      ...{ rescheduled: 2, attempts: 2, resumptions: 2, mean_ms: 1_625, p95_ms: expect.closeTo(2_850) as number },
    });
    expect(groups).toMatchObject([
      { group: { name: 'close Depot' }, total: 4, running: 2, waiting: 1, hung: 1, canceled: 1, mean_ms: 500 },
      { group: { name: 'open Depot' }, total: 3, running: 0, succeeded: 2, failed: 1, mean_ms: 2_000, rescheduled: 2 },
    ]);
  });

  it('groups by name and by dimension, and in one group', async () => {
    const summary = await asked(STORY);
    const groups = async (by: string) =>
      (await summary({ ...HOUR, by })).groups.map(({ group, total }) => [...Object.values(group), total]);
    expect(await groups('region')).toEqual([
      [null, 5],
      ['north', 1],
      ['south', 1],
    ]);
    expect(await groups('tenant')).toEqual([['acme', 7]]);
    expect(await groups('name,region')).toEqual([
      ['close Depot', null, 4],
      ['open Depot', 'north', 1],
      ['open Depot', 'south', 1],
      ['open Depot', null, 1],
    ]);
    expect(await summary({ ...HOUR, by: '' })).toMatchObject({ groups: [], all: { total: 7 } });
    const first = await summary({ ...HOUR, by: 'region', $top: '1' });
    expect(first).toMatchObject({ groups: [{ total: 5 }], more: true, all: { total: 7 } });
    expect(await summary({ ...HOUR, by: 'region', $top: '3' })).not.toHaveProperty('more');
  });

  it('is of those that a filter names', async () => {
    const summary = await asked(STORY);
    const total = async ($filter: string) => (await summary({ ...HOUR, $filter })).all.total;
    expect(await total("region eq 'north'")).toBe(1);
    expect(await total("startswith(name,'close') and outcome eq null")).toBe(2);
    expect(await total("events/any(e:e/keys eq 'e')")).toBe(1);
  });

  it('is of no operations where there are none', async () => {
    const summary = await asked([]);
    expect(await summary()).toMatchObject({
      all: { total: 0, running: 0, rescheduled: 0, attempts: 0, resumptions: 0, mean_ms: null, p95_ms: null },
      groups: [],
    });
  });
});

describe('the period of a summary (A4)', () => {
  const LONG: readonly StoreRecord[] = [
    // From before the period, into it.
    ...done('a', { startedAt: START - 9_000, endedAt: START + 1_000, outcome: 'success' }),
    // Over before it.
    ...done('b', { startedAt: START - 9_000, endedAt: START - 1, outcome: 'success' }),
    // Beyond it.
    ...done('c', { startedAt: START + 5_000, endedAt: START + 20_000, outcome: 'failed' }),
    // After it.
    ...done('d', { startedAt: START + 10_000, endedAt: START + 20_000, outcome: 'success' }),
    // At rest at its end, and under way later.
    ...done('e', { startedAt: START }, [{ endedAt: START + 6_000, endState: 'Ready' }, { startedAt: START + 30_000 }]),
  ];

  it('has those that were under way in it, as they were at its end', async () => {
    const summary = await asked(LONG);
    const { all } = await summary({ from: at(0), until: at(10_000) });
    expect(all).toMatchObject({ total: 3, started: 2, running: 1, waiting: 1, finished: 1, succeeded: 1, failed: 0 });
    expect(all.mean_ms).toBe(10_000);
    expect((await summary({ from: at(10_000), until: at(60_000) })).all).toMatchObject({
      ...{ total: 3, started: 1, running: 1, waiting: 0, finished: 2, failed: 1 },
    });
  });

  it('ends each operation once in periods that follow each other, whatever they are', async () => {
    const times = fc.tuple(fc.nat(100), fc.option(fc.nat(100)));
    const operations = fc.sample(times, { seed: 7, numRuns: 60 }).map(([start, length], index) => ({
      ...{ id: `o${index}`, startedAt: START + start },
      ...(length !== null && { endedAt: START + start + length }),
    }));
    const summary = await asked(operations.flatMap(({ id, ...each }) => done(id, { ...each, outcome: 'success' })));
    let finished = 0;
    for (const from of [0, 50, 90, 150]) {
      const until = { 0: 50, 50: 90, 90: 150, 150: 1_000 }[from]!;
      const { all } = await summary({ from: at(from), until: at(until) });
      const ends = operations.filter(
        ({ endedAt: end }) => end !== undefined && end >= START + from && end < START + until,
      );
      const goOn = operations.filter(
        ({ startedAt, endedAt }) => startedAt < START + until && (endedAt ?? Infinity) >= START + until,
      );
      expect(all, `from ${from}`).toMatchObject({ finished: ends.length, total: ends.length + goOn.length });
      const sum = ends.reduce((ms, { startedAt, endedAt }) => ms + endedAt! - startedAt, 0);
      expect(all.mean_ms).toBeCloseTo(sum / ends.length);
      finished += ends.length;
    }
    expect(finished).toBe(operations.filter(({ endedAt }) => endedAt !== undefined).length);
  });

  it('is the last 24 hours unless another one is named, by a time or by how long ago', async () => {
    const ago = (hours: number) => Date.now() - hours * 3_600_000;
    const ended = (id: string, hours: number) =>
      done(id, { startedAt: ago(hours) - 10, endedAt: ago(hours), outcome: 'success' });
    const summary = await asked([...ended('a', 1), ...ended('b', 23), ...ended('c', 25), ...ended('d', 60)]);
    const total = async (options: Options) => (await summary(options)).all.total;
    expect(await total({})).toBe(2);
    expect(await total({ from: '3d' })).toBe(4);
    expect(await total({ from: '90m' })).toBe(1);
    expect(await total({ from: '3d', until: '24h' })).toBe(2);
    expect(await total({ from: new Date(ago(26)).toISOString(), until: '2h' })).toBe(2);
  });

  it.each([
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2026-11-21T14:00' }, 'from'],
    [{ until: '99999999999d' }, 'until'],
    [{ from: '1h', until: '2h' }, 'from'],
    [{ by: 'zone' }, 'by'],
    [{ by: 'name,outcome' }, 'by'],
    [{ $filter: 'nonsense eq 1' }, '$filter'],
    [{ $top: 'x' }, '$top'],
    [{ form: '24h' }, 'form'],
    [{ $orderby: 'name' }, '$orderby'],
  ])('and whatever else is asked for has to be understood: %j', async (options, path) => {
    const get = depots(await server.store(DIMENSIONS));
    const { status, body } = await get(OPERATOR, SUMMARY, options as unknown as Options);
    expect({ status, body }).toMatchObject({ status: 400, body: { issues: [{ path }] } });
  });
});

describe('the summary for an actor of a tenant (A4, S6.5)', () => {
  it('is of what is theirs, and of the events and attempts that they may see', async () => {
    const rival = { dimensions: { tenant: 'rival' } };
    const yard = { type: 'Yard', key: 'big', life: 'yard' };
    const mixed = await asked([
      ...STORY,
      ...done('r', { endedAt: START + 90_000, outcome: 'failed', restarts: 5, ...rival }),
      ...done('y', { name: 'close Yard/y', dimensions: {} }),
      // On a yard, for an operation of acme that has ended, and for one that waits for all that they know.
      event('y1', { entity: yard, operation: 'a', event: 'close', startVersion: 1 }),
      transition(1, { entity: yard, operation: 'a', event: 'y1', retries: 4 }),
      event('y2', { entity: yard, operation: 'g', event: 'close', startVersion: 2 }),
    ]);
    const alone = await (await asked(STORY))({ ...HOUR, by: 'name,tenant' });
    expect(await mixed({ ...HOUR, by: 'name,tenant' }, READER)).toEqual(alone);
    expect((await mixed()).all).toMatchObject({ total: 9, waiting: 0, rescheduled: 4, attempts: 3, resumptions: 7 });
    expect((await mixed(HOUR, { ...READER, tenant: 'nobody' })).all.total).toBe(0);
  });

  it('is refused to those who may read nothing', async () => {
    const get = depots(await server.store(DIMENSIONS));
    const { status, body } = await get({ role: 'guest', tenant: 'acme' }, SUMMARY);
    expect({ status, code: body['code'] }).toEqual({ status: 403, code: 'not_allowed' });
  });
});
