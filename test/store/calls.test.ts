import { describe, expect, it } from 'vitest';
import type { EntityRecord } from '../../src/protocol/records.js';
import { entity, event, operation, standing, START, transition } from './records.js';
import { useServer } from './server.js';

const server = useServer();

describe('calls in the store', () => {
  it('are rows below the transition of their action, in their order (A2)', async () => {
    const store = await server.store([]);
    const error = { code: 'provider_down', message: 'no answer' };
    await store.writer.keep([
      operation('create-orders'),
      event('create-orders'),
      transition(1, {
        tenant: 'acme',
        calls: [
          { place: 1, call: 'databases.create', mode: 'activity', startedAt: START, endedAt: START + 40, restarts: 2 },
          { place: 3, call: 'approvals.ask', mode: 'callback', startedAt: START + 50, endedAt: START + 90, error },
          { place: 4, call: 'databases.look', mode: 'inline', startedAt: START + 60 },
        ],
      }),
      transition(2),
    ]);
    const [first] = await store.reader.selectFrom('operations').selectAll().execute();
    const [only] = await store.reader.selectFrom('state_machine_events').selectAll().execute();
    const of = {
      operation_id: first?.operation_id,
      event_id: only?.event_id,
      transition_ordinal: 1,
      entity_type: 'LogicalServer',
      entity_key: 'orders',
      action_name: 'install',
      transition_time: new Date(START + 1),
      tenant: 'acme',
    };
    const none = { error_code: null, error_message: null, restart_count: 0 };
    expect(await store.reader.selectFrom('calls').selectAll().orderBy('call_place').execute()).toEqual([
      {
        ...{ ...of, ...none, call_place: 1, call_name: 'databases.create', mode: 'activity', restart_count: 2 },
        ...{ start_time: new Date(START), end_time: new Date(START + 40) },
      },
      {
        ...{ ...of, call_place: 3, call_name: 'approvals.ask', mode: 'callback', restart_count: 0 },
        ...{ start_time: new Date(START + 50), end_time: new Date(START + 90) },
        ...{ error_code: 'provider_down', error_message: 'no answer' },
      },
      {
        ...{ ...of, ...none, call_place: 4, call_name: 'databases.look', mode: 'inline' },
        ...{ start_time: new Date(START + 60), end_time: null },
      },
    ]);
    const [change] = await store.reader
      .selectFrom('changes')
      .select(['version', 'calls'])
      .orderBy('position')
      .execute();
    expect(change).toMatchObject({ version: 1, calls: [{ place: 1 }, { place: 3 }, { place: 4 }] });
  });

  it('that wait for an answer from outside are told by their entity, until it waits no more (A2)', async () => {
    const store = await server.store([]);
    const waits: EntityRecord = {
      ...standing(1),
      operation: 'move',
      dimensions: { tenant: 'acme' },
      callbacks: [
        { id: 'q/1', call: 'approvals.ask', since: START, until: START + 500 },
        { id: 'answer.paid', event: 'paid', since: START + 5, until: START + 900 },
      ],
    };
    await store.writer.keep([waits]);
    const awaited = () => store.reader.selectFrom('pending_callbacks').selectAll().orderBy('since_time').execute();
    const of = { entity_type: 'LogicalServer', entity_key: entity().key, operation: 'move', tenant: 'acme' };
    expect(await awaited()).toEqual([
      {
        ...{ ...of, id: 'q/1', call_name: 'approvals.ask', event: null },
        ...{ since_time: new Date(START), until_time: new Date(START + 500) },
      },
      {
        ...{ ...of, id: 'answer.paid', call_name: null, event: 'paid' },
        ...{ since_time: new Date(START + 5), until_time: new Date(START + 900) },
      },
    ]);
    await store.writer.keep([standing(2)]);
    expect(await awaited()).toEqual([]);
  });
});
