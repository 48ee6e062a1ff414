import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { entity, event, operation, standing, START, transition } from './records.js';
import { useServer } from './server.js';

const server = useServer();

describe('rows of the store', () => {
  it('show every column of the three levels (S5.1)', async () => {
    const store = await server.store(['logical_server_id']);
    const dimensions = { logical_server_id: 'orders' };
    const error = { kind: 'retryable' as const, code: 'provider_down', message: 'no answer' };
    const exception = {
      kind: 'defect' as const,
      code: 'defect',
      message: 'TypeError: x',
      stack: 'TypeError: x\n    at f',
    };
    await store.writer.keep([
      operation('create-orders', { endedAt: START + 900, outcome: 'failed', error, restarts: 2, dimensions }),
      event('create-orders', {
        ...{
          endState: 'Failed',
          endHealth: 'error',
          endVersion: 3,
          endedAt: START + 800,
          error,
          exception,
          restarts: 1,
          dimensions,
        },
      }),
      transition(1, { type: 'Event', action: undefined, startState: 'Absent', endState: 'Creating' }),
      transition(2, { retries: 3, actionStartedAt: START + 2, outcome: 'error', error, endHealth: 'error' }),
      transition(3, { outcome: 'failed', error: exception }),
    ]);
    const [first] = await store.reader.selectFrom('operations').selectAll().execute();
    expect(first).toEqual({
      operation_id: expect.any(Number),
      request_id: 'create-orders',
      name: 'create LogicalServer/orders',
      workflow_start_time: new Date(START),
      workflow_end_time: new Date(START + 900),
      operation_first_response_time: new Date(START + 5),
      outcome: 'failed',
      error_id: expect.any(Number),
      restart_count: 2,
      logical_server_id: 'orders',
    });
    const events = await store.reader.selectFrom('state_machine_events').selectAll().execute();
    expect(events).toEqual([
      {
        operation_id: first?.operation_id,
        event_id: expect.any(Number),
        request_id: 'create-orders',
        workflow_position: '1',
        state_machine_type: 'LogicalServer',
        event: 'create',
        keys: 'orders',
        event_type: 'raised',
        start_state: 'Absent',
        end_state: 'Failed',
        start_time: new Date(START),
        end_time: new Date(START + 800),
        error_end_state: true,
        error_reported: true,
        error: first?.error_id,
        exception: true,
        exception_details: exception.stack,
        restart_count: 1,
        logical_server_id: 'orders',
      },
    ]);
    const transitions = await store.reader
      .selectFrom('state_machine_transitions')
      .selectAll()
      .orderBy('transition_ordinal')
      .execute();
    // Exactly these columns, in this order.
    expect(Object.keys(transitions[0]!)).toEqual([
      ...['operation_id', 'event_id', 'transition_ordinal', 'transition_type', 'action_name', 'start_state'],
      ...['start_state_health', 'start_state_entry_time', 'transition_start_time', 'retry_count', 'end_state'],
      ...['end_state_health', 'transition_time', 'action_start_time', 'outcome', 'error_id'],
    ]);
    expect(transitions).toMatchObject([
      { transition_ordinal: 1, transition_type: 'Event', action_name: null, outcome: 'success', error_id: null },
      {
        operation_id: first?.operation_id,
        event_id: events[0]?.event_id,
        transition_ordinal: 2,
        transition_type: 'AutoAction',
        action_name: 'install',
        start_state: 'Creating',
        start_state_health: 'normal',
        start_state_entry_time: new Date(START + 1),
        transition_start_time: new Date(START + 1),
        retry_count: 3,
        end_state: 'Ready',
        end_state_health: 'error',
        transition_time: new Date(START + 2),
        action_start_time: new Date(START + 2),
        outcome: 'error',
        error_id: first?.error_id,
      },
      { transition_ordinal: 3, outcome: 'failed', error_id: expect.any(Number) },
    ]);
    const errors = store.reader.selectFrom('workflow_errors').selectAll().where('error_kind', '=', 'retryable');
    expect(await errors.execute()).toEqual([
      { error_id: first?.error_id, error_details: 'provider_down: no answer', error_kind: 'retryable' },
    ]);
    expect(await store.reader.selectFrom('workflow_exceptions').selectAll().execute()).toEqual([
      {
        exception_id: expect.any(Number),
        exception: exception.stack,
        operation_id: first?.operation_id,
        event_id: events[0]?.event_id,
      },
    ]);
  });

  it('tell of an exception as often as it came, also when it was made good since (S5.1)', async () => {
    const store = await server.store();
    const error = { kind: 'defect', code: 'defect', message: 'TypeError: x' } as const;
    const failed = [1, 2].map((version) => transition(version, { outcome: 'failed', error }));
    await store.writer.keep([event('create-orders', { endedAt: START + 9 }), ...failed, transition(3)]);
    const [made] = await store.reader.selectFrom('state_machine_events').selectAll().execute();
    expect(made).toMatchObject({ exception: false, exception_details: null });
    const { event_id } = made!;
    const rows = () => store.reader.selectFrom('workflow_exceptions').select(['exception', 'event_id']).execute();
    const came = { exception: 'defect: TypeError: x', event_id };
    expect(await rows()).toEqual([came, came]);
    await store.writer.keep(failed);
    expect(await rows()).toEqual([came, came]);
  });

  it('lie beside a row of each entity as it stands (S5.2)', async () => {
    const store = await server.store(['zone']);
    const contents = { properties: { port: 5 }, links: { alias: 'a' }, subordinates: { databases: { master: {} } } };
    await store.writer.keep([standing(1, { state: 'Creating', settled: false, operation: 'create-orders' })]);
    await store.writer.keep([standing(2, { ...contents, dimensions: { zone: 'north' } })]);
    expect(await store.reader.selectFrom('entities').selectAll().execute()).toEqual([
      {
        ...{ type: 'LogicalServer', key: 'orders', life: entity().life, version: 2, schema: 1 },
        ...{ state: 'Ready', health: 'normal' },
        ...{
          settled: true,
          stuck_since: null,
          need_since: null,
          need: null,
          waits: false,
          deleted: false,
          operation: null,
          created_time: new Date(START),
        },
        ...{ state_entry_time: new Date(START + 2), ...contents, zone: 'north' },
        ...{ reported_time: new Date(START + 2), written_time: expect.any(Date) },
      },
    ]);
  });

  it('show an event whose operation has not arrived, and a hung operation while it runs (S5.1, S5.3)', async () => {
    const store = await server.store();
    await store.writer.keep([event('create-orders'), transition(1)]);
    const read = () => store.reader.selectFrom('state_machine_transitions').select('operation_id').execute();
    expect(await read()).toEqual([{ operation_id: null }]);
    await store.writer.keep([operation('create-orders', { outcome: 'hung' })]);
    await store.writer.keep([operation('create-orders')]);
    expect(await read()).toEqual([{ operation_id: expect.any(Number) }]);
    const outcomes = () => store.reader.selectFrom('operations').select(['outcome', 'workflow_end_time']).execute();
    expect(await outcomes()).toEqual([{ outcome: 'hung', workflow_end_time: null }]);
    await store.writer.keep([operation('create-orders', { outcome: 'success', endedAt: START + 10 })]);
    expect(await outcomes()).toEqual([{ outcome: 'success', workflow_end_time: new Date(START + 10) }]);
  });

  it('take the first response of the service when it is known, whatever comes first (S5.1)', async () => {
    const store = await server.store();
    await store.writer.noteFirstResponse('early', START + 3, { type: 'LogicalServer', key: 'orders' });
    await store.writer.keep([operation('early'), operation('late')]);
    await store.writer.noteFirstResponse('late', START + 7, { type: 'LogicalServer', key: 'orders' });
    await store.writer.noteFirstResponse('late', START + 9, { type: 'LogicalServer', key: 'orders' });
    const rows = await store.reader
      .selectFrom('operations')
      .select(['request_id', 'operation_first_response_time'])
      .orderBy('request_id')
      .execute();
    expect(rows).toEqual([
      { request_id: 'early', operation_first_response_time: new Date(START + 3) },
      { request_id: 'late', operation_first_response_time: new Date(START + 7) },
    ]);
  });

  it('include the audit trail, once for each decision (S6.5)', async () => {
    const store = await server.store();
    const id = '6f0d6b1e-5d50-4c8e-9b51-0d6d3c7c7c11';
    const entry = {
      ...{
        id,
        at: START,
        subject: 'ann',
        tenant: 'acme',
        roles: ['operator', 'reader'],
        action: 'LogicalServer.delete',
      },
      ...{ entity: { type: 'LogicalServer', key: 'orders' }, requestId: 'r1', decision: 'denied' as const },
      ...{ reason: 'not an administrator', remoteAddress: '10.0.0.1' },
    };
    await Promise.all([store.writer.audit([entry]), store.writer.audit([entry])]);
    expect(await store.reader.selectFrom('audit_trail').selectAll().execute()).toEqual([
      {
        ...{ id, time: new Date(START), subject: 'ann', tenant: 'acme', roles: ['operator', 'reader'] },
        ...{ action: 'LogicalServer.delete', entity_type: 'LogicalServer', entity_key: 'orders', operation: null },
        ...{ request_id: 'r1', decision: 'denied', reason: 'not an administrator', remote_address: '10.0.0.1' },
      },
    ]);
  });

  it('hold what text can hold, and leave out what PostgreSQL never takes (S5.2)', async () => {
    const store = await server.store(['zone']);
    const odd = 'a\u0000b\ud800 \\u0000 \u{1f600}';
    const long = '\u{1f600}'.repeat(5_000);
    await store.writer.keep([
      operation('odd', { name: odd }),
      operation('long', { dimensions: { zone: long } }),
      operation('never', { restarts: 1e12 }),
      standing(1, { properties: { [odd]: odd } }),
    ]);
    const rows = await store.reader
      .selectFrom('operations')
      .select(['request_id', 'name'])
      .orderBy('request_id')
      .execute();
    expect(rows.map(({ request_id }) => request_id)).toEqual(['long', 'odd']);
    expect(rows[1]?.name).toBe('a\ufffdb\ufffd \\u0000 \u{1f600}');
    expect(store.writer.measures().refused).toBe(1);
    expect(store.warnings.join()).toContain(`rejects a row of 'operations'`);
  });

  it('are written soon when they are only offered (S5.2)', async () => {
    const store = await server.store();
    store.writer.offer([operation('create-orders'), event('create-orders'), transition(1), standing(1)]);
    await until(async () => {
      expect(await store.reader.selectFrom('entities').select('version').execute()).toEqual([{ version: 1 }]);
    });
    expect(await store.reader.selectFrom('state_machine_transitions').selectAll().execute()).toHaveLength(1);
    // Readers see the rows a moment before the writer hears that they are committed.
    await until(async () => {
      expect(store.writer.measures()).toMatchObject({ written: 4, queued: 0, queuedBytes: 0, dropped: 0, lagMs: 0 });
    });
  });
});
