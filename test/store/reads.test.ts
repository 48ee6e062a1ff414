import { describe, expect, it } from 'vitest';
import { readEntities, readEntity, readEntityVersion, readOperation } from '../../src/store/index.js';
import { operationRecord } from '../../src/operations/record.js';
import { start } from '../support/operation.js';
import { entity, event, operation, standing, START, transition } from './records.js';
import { useServer } from './server.js';

const server = useServer();
const error = { kind: 'retryable' as const, code: 'provider_down', message: 'no answer' };
const defect = { kind: 'defect' as const, code: 'defect', message: 'TypeError: x' };
const rejected = { kind: 'rejected' as const, code: 'not_valid', message: 'not now' };

describe('reads of the store', () => {
  it('drill down from an operation to its events and their transitions (S5.1)', async () => {
    const store = await server.store();
    const child = { entity: entity('dns'), event: 'publish' };
    await store.writer.keep([
      operation('create-orders'),
      operation('other', { startedAt: START + 50 }),
      event('create-orders'),
      event('publish', { entity: child.entity, position: '1.1', startedAt: START + 1 }),
      event('other', { operation: 'other', startedAt: START + 50 }),
      ...[1, 2].map((version) => transition(version)),
      transition(1, child),
    ]);
    const found = await readOperation(store.reader, { requestId: 'create-orders' });
    expect(found?.events.map(({ workflow_position, transitions }) => [workflow_position, transitions.length])).toEqual([
      ['1', 2],
      ['1.1', 1],
    ]);
    expect(found?.events[0]?.transitions.map(({ transition_ordinal }) => transition_ordinal)).toEqual([1, 2]);
    expect(await readOperation(store.reader, { operationId: found?.operation_id ?? -1 })).toEqual(found);
    expect(await readOperation(store.reader, { requestId: 'never' })).toBeUndefined();
    await store.writer.keep([standing(2)]);
    expect(await readEntity(store.reader, { type: 'LogicalServer', key: 'orders' })).toMatchObject({ version: 2 });
    expect(await readEntity(store.reader, { type: 'LogicalServer', key: 'never' })).toBeUndefined();
    const refs = ['orders', 'never'].map((key) => ({ type: 'LogicalServer', key }));
    expect(await readEntities(store.reader, refs)).toMatchObject([{ key: 'orders', version: 2 }]);
    expect(await readEntities(store.reader, [])).toEqual([]);
  });

  it('tell an entity as it was at a version, where all that was changed before is known (S5.1)', async () => {
    const store = await server.store();
    const size = (value: unknown) => ({ part: 'properties', name: 'size', value }) as const;
    const rule = (key: string, value?: object) =>
      ({ part: 'subordinates', name: 'rules', key, ...(value && { value }) }) as const;
    const old = entity('orders', 'old life');
    await store.writer.keep([
      event('create-orders'),
      event('create-old', { entity: old }),
      event('create-long', { entity: entity('long-ago') }),
      transition(1, { changes: [size(null), { part: 'links', name: 'app', value: 'x' }], endState: 'Creating' }),
      transition(2),
      transition(3, { changes: [size(3), rule('a', { x: 1 }), rule('b', { x: 1 })] }),
      transition(4, { changes: [{ part: 'properties', name: 'size' }, rule('a', { x: 2 }), rule('b')] }),
      transition(6, { changes: [] }),
      transition(1, { entity: old, event: 'create-old', changes: [size(7)] }),
      transition(1, { entity: entity('long-ago'), event: 'create-long' }),
      ...[standing(6), standing(1, { entity: entity('long-ago') })],
    ]);
    const at = async (version: number, key = 'orders', life?: string) =>
      readEntityVersion(store.reader, { type: 'LogicalServer', key }, version, life);
    const links = { app: 'x' };
    expect(await at(2)).toMatchObject({
      row: { life: 'life of orders', version: 2, state: 'Ready', time: new Date(START + 2), event: 'create' },
      until: new Date(START + 3),
      held: { properties: { size: null }, links, subordinates: {} },
    });
    expect((await at(3))?.held?.subordinates).toEqual({ rules: { a: { x: 1 }, b: { x: 1 } } });
    expect((await at(4))?.held).toEqual({
      ...{ properties: {}, links, subordinates: { rules: { a: { x: 2 } } }, leftOut: [] },
    });
    // Version 5 has yet to come, so nobody knows what it has changed.
    expect(await at(5)).toBeUndefined();
    expect(await at(6)).toMatchObject({ row: { version: 6 } });
    expect((await at(6))?.held).toBeUndefined();
    expect((await at(1, 'orders', 'old life'))?.held?.properties).toEqual({ size: 7 });
    expect(await at(1, 'another', 'old life')).toBeUndefined();
    expect(await at(1, 'never')).toBeUndefined();
    // Its beginning was written before changes were kept.
    expect(await at(1, 'long-ago')).toMatchObject({ row: { version: 1 } });
    expect((await at(1, 'long-ago'))?.held).toBeUndefined();
  });

  it('roll up each level by day, name, dimension and cause (S5.5)', async () => {
    const store = await server.store(['zone']);
    const ended = (ms: number) => ({ startedAt: START, endedAt: START + ms });
    const zone = (name: string) => ({ dimensions: { zone: name } });
    await store.writer.keep([
      operation('a', { ...ended(100), outcome: 'success', ...zone('north') }),
      operation('b', { ...ended(300), outcome: 'success', ...zone('south'), name: 'create LogicalServer/billing' }),
      operation('c', { ...ended(500), outcome: 'failed', error, ...zone('north') }),
      operation('d', { ...zone('north') }),
      event('a', { ...ended(90), endState: 'Ready', endHealth: 'normal', endVersion: 2, ...zone('north') }),
      event('c', { ...ended(90), endState: 'Failed', endHealth: 'error', endVersion: 3, error, ...zone('north') }),
      // In a healthy state, with an error that nobody made good; and with a defect that was made good.
      event('e', { ...ended(90), endState: 'Ready', endHealth: 'normal', endVersion: 4, endDetails: { error }, error }),
      event('f', { ...ended(90), endState: 'Ready', endHealth: 'normal', endVersion: 5, error: defect }),
      event('g', { ...ended(0), endState: 'Ready', endHealth: 'normal', error: rejected }),
      event('h', {
        ...ended(90),
        endState: 'Ready',
        endHealth: 'normal',
        endVersion: 6,
        endDetails: { canceled: true },
      }),
      event('i'),
      transition(1, { event: 'a', startedAt: START }),
      transition(2, { event: 'c', outcome: 'exhausted', error }),
      transition(3, { event: 'c', outcome: 'aborted' }),
    ]);
    const { reader } = store;
    const reported = reader.selectFrom('state_machine_events').select('end_state').where('error_reported', '=', true);
    // The rejection of 'g' is its error, and no action has reported it.
    expect(await reported.where('error', 'is not', null).execute()).toHaveLength(3);
    const all = await reader.selectFrom('operation_rollup').selectAll().where('dimension', 'is', null).execute();
    expect(all).toEqual([
      {
        ...{ day: '2026-01-01', name: 'create LogicalServer', dimension: null, dimension_value: null, total: 4 },
        ...{ succeeded: 2, failed: 1, rejected: 0, canceled: 0, hung: 0, success_rate: 2 / 3, failure_rate: 1 / 3 },
        ...{ p50_ms: 300, p95_ms: 480, p99_ms: 496 },
      },
    ]);
    const north = reader
      .selectFrom('operation_rollup')
      .select(['total', 'failed'])
      .where('dimension_value', '=', 'north');
    expect(await north.execute()).toEqual([{ total: 3, failed: 1 }]);
    const causes = reader.selectFrom('operation_causes').selectAll().where('dimension', 'is', null);
    expect(await causes.execute()).toMatchObject([
      { error_kind: 'retryable', error_details: 'provider_down: no answer', total: 1, place: 1 },
    ]);
    const events = reader.selectFrom('event_rollup').selectAll().where('dimension', 'is', null);
    expect(await events.execute()).toMatchObject([
      {
        ...{ name: 'LogicalServer.create', total: 7, succeeded: 2, failed: 2, rejected: 1, canceled: 1 },
        ...{ success_rate: 2 / 6, failure_rate: 2 / 6 },
      },
    ]);
    const transitions = reader.selectFrom('transition_rollup').selectAll().where('dimension', '=', 'zone');
    expect(await transitions.execute()).toMatchObject([
      { name: 'LogicalServer.install', dimension_value: 'north', total: 3, succeeded: 1, failed: 1, canceled: 1 },
    ]);
    const eventCauses = reader
      .selectFrom('event_causes')
      .select(['error_kind', 'total'])
      .where('dimension', 'is', null);
    expect(await eventCauses.orderBy('place').execute()).toEqual([
      { error_kind: 'retryable', total: 2 },
      { error_kind: 'rejected', total: 1 },
    ]);
    expect(await reader.selectFrom('transition_causes').selectAll().execute()).toHaveLength(2);
  });

  it('tell the result of an event, which is canceled if it was open when its entity honoured a cancel (S4.7, S5.1)', async () => {
    const store = await server.store();
    const aborted = { kind: 'retryable', code: 'aborted', message: 'aborted by an event' } as const;
    const from = (startVersion: number, endVersion: number, more: object = {}) => ({
      ...{ startVersion, endVersion, endedAt: START + 9, endState: 'Ready', endHealth: 'normal' as const },
      ...more,
    });
    const other = { entity: entity('billing') };
    await store.writer.keep([
      // It had settled before, at the version at which the request to cancel came.
      event('earlier', from(1, 4)),
      event('create-orders', from(4, 9, { error: aborted })),
      event('create-orders/cancel/LogicalServer/orders', from(4, 9, { event: 'cancel' })),
      event('later', from(9, 12)),
      // Two that were aborted without a request to cancel: by a request that was refused, and by another event.
      event('refusing', from(4, 9, { ...other, error: aborted })),
      event('create-orders/cancel/LogicalServer/billing', {
        ...{ ...other, startVersion: 5, endedAt: START + 9, error: rejected, event: 'cancel' },
      }),
      event('stop', from(5, 9, { ...other, operation: 'stop', event: 'stop' })),
      event('failed', from(4, 9, { endDetails: { error }, error })),
      event('running', { startVersion: 4, error: aborted }),
    ]);
    const results = await store.query(
      `select o.id, r.result from reeve.event_origins o join reeve.state_machine_event_results r using (event_id)
        where r.result is not distinct from o.result order by o.id`,
    );
    expect(results).toEqual([
      { id: 'create-orders', result: 'canceled' },
      { id: 'create-orders/cancel/LogicalServer/billing', result: 'rejected' },
      { id: 'create-orders/cancel/LogicalServer/orders', result: 'success' },
      { id: 'earlier', result: 'success' },
      { id: 'failed', result: 'failed' },
      { id: 'later', result: 'success' },
      { id: 'refusing', result: 'success' },
      { id: 'running', result: null },
      { id: 'stop', result: 'success' },
    ]);
    const rollup = store.reader.selectFrom('event_rollup').select(['name', 'canceled', 'succeeded']);
    expect(await rollup.where('name', '=', 'LogicalServer.create').execute()).toEqual([
      { name: 'LogicalServer.create', canceled: 1, succeeded: 3 },
    ]);
    // That it was aborted is no cause of a failure.
    const causes = store.reader.selectFrom('event_causes').select('error_details').orderBy('error_details');
    expect(await causes.execute()).toEqual([
      { error_details: 'not_valid: not now' },
      { error_details: 'provider_down: no answer' },
    ]);
  });

  it('count alike what has failed alike on many entities, at every level (S5.5)', async () => {
    const store = await server.store();
    const keys = ['orders', 'billing', 'my own key'];
    for (const key of keys) {
      const id = `LogicalServer/${key}`;
      const ended = { startedAt: START, endedAt: START + 9 };
      const failed = { ...ended, endState: 'Failed', endHealth: 'error', operation: key } as const;
      const needs = (message: string) => ({ kind: 'needs_operator', code: 'timed_out', message }) as const;
      const first = { ...needs('no answer'), entity: id, event: 'create', engagement: key };
      const status = { ...start().status(), id: key, name: `create ${id}`, startedAt: START, errors: [first] };
      const error = { kind: 'rejected', code: 'not_valid', message: `'drop' is not valid: ${id} is Ready.` } as const;
      await store.writer.keep([
        operationRecord({ ...status, outcome: 'failed', endedAt: START + 9 }),
        event(key, { ...failed, entity: entity(key), error }),
        transition(1, {
          ...{ entity: entity(key), operation: key, event: key, outcome: 'error' },
          error: needs(
            `Alias/${key.replaceAll(' ', '-')}.b has not settled by 2026-01-0${keys.indexOf(key) + 1}T00:00:00.000Z.`,
          ),
        }),
      ]);
    }
    const { reader } = store;
    for (const level of ['operation', 'event', 'transition'] as const) {
      const causes = reader.selectFrom(`${level}_causes`).select(['total', 'place', 'error_details']);
      expect(await causes.execute(), level).toEqual([{ total: 3, place: 1, error_details: expect.any(String) }]);
    }
    const errors = reader.selectFrom('workflow_errors').select('error_details').orderBy('error_details');
    expect(await errors.execute()).toEqual([
      { error_details: `not_valid: 'drop' is not valid: LogicalServer/… is Ready.` },
      { error_details: 'timed_out: Alias/… has not settled by ….' },
      { error_details: 'timed_out: no answer' },
    ]);
    // The text that each of them says itself is kept.
    const texts = await store.query('select level, message from reeve.error_texts');
    expect(texts).toHaveLength(9);
    expect(texts).toContainEqual({ level: 'operation', message: 'timed_out: LogicalServer/my own key: no answer' });
  });
});
