import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../../src/protocol/records.js';
import { retentionFrom, type RejectedEvent } from '../../src/store/index.js';
import { openStore } from '../../src/store/store.js';
import { entity, START } from './records.js';
import { useServer } from './server.js';

const server = useServer();
const uuid = (number: number) => `6f0d6b1e-5d50-4c8e-9b51-0000000000${String(number).padStart(2, '0')}`;

function rejected(number: number, values: Partial<RejectedEvent> = {}): RejectedEvent {
  const now = Date.now();
  return {
    ...{ id: uuid(number), at: now, lastAt: now, times: 1, entity: { type: 'LogicalServer', key: 'orders' } },
    ...{ event: 'create', code: 'already_done', message: 'It is there already.' },
    ...values,
  };
}

function decision(values: Partial<DecisionRecord> = {}): DecisionRecord {
  return { kind: 'decision', id: 'r1@4', entity: entity(), event: 'delete', request: 'r1', at: Date.now(), ...values };
}

const ada = { subject: 'ada', tenant: 'acme', roles: ['owner'] };

describe('what was rejected at once (S2.2)', () => {
  it('has a row with who, when, what and why', async () => {
    const store = await server.store();
    const [at, lastAt] = [Date.now() - 500, Date.now()];
    const more = { requestId: 'r1', state: 'Ready', subject: 'ada', tenant: 'acme' };
    await store.writer.reject([rejected(1, { ...more, at, lastAt, times: 3 }), rejected(2, { code: 'absent' })]);
    const rows = await store.reader.selectFrom('rejected_events').selectAll().orderBy('code', 'desc').execute();
    const of = { entity_type: 'LogicalServer', entity_key: 'orders', event: 'create', message: 'It is there already.' };
    expect(rows).toEqual([
      {
        ...{
          ...of,
          id: uuid(1),
          code: 'already_done',
          request_id: 'r1',
          state: 'Ready',
          subject: 'ada',
          tenant: 'acme',
        },
        ...{ time: new Date(at), last_time: new Date(lastAt), times: 3 },
      },
      {
        ...{ ...of, id: uuid(2), code: 'absent', request_id: null, state: null, subject: null, tenant: null },
        ...{ time: expect.any(Date), last_time: expect.any(Date), times: 1 },
      },
    ]);
  });

  it('is kept for a set time', async () => {
    const url = await server.database();
    const store = openStore({ url, dimensions: [], rejectionsKeptMs: 60_000 });
    try {
      await store.migrate();
      const old = Date.now() - 61_000;
      await store.writer.reject([rejected(1, { at: old, lastAt: old }), rejected(2)]);
      expect(await store.reader.selectFrom('rejected_events').select('id').execute()).toEqual([{ id: uuid(2) }]);
    } finally {
      await store.close();
    }
  });

  it.each([
    ['', 30 * 86_400_000],
    ['12h', 12 * 3_600_000],
  ])('is kept for as long as REEVE_REJECTIONS_RETENTION says: %j', (given, ms) => {
    expect(retentionFrom({ REEVE_REJECTIONS_RETENTION: given }).rejectionsKeptMs).toBe(ms);
  });

  it('is not kept for what is no length of time', () => {
    expect(() => retentionFrom({ REEVE_REJECTIONS_RETENTION: 'a while' })).toThrow(
      /REEVE_REJECTIONS_RETENTION is 'a while'/,
    );
  });
});

describe('what an entity has decided on a plain signal (S6.5)', () => {
  const audited = (store: Awaited<ReturnType<typeof server.store>>) =>
    store.reader
      .selectFrom('audit_trail')
      .select(['subject', 'tenant', 'action', 'decision', 'reason', 'operation'])
      .execute();
  const codes = (store: Awaited<ReturnType<typeof server.store>>) =>
    store.reader.selectFrom('rejected_events').select(['code', 'subject', 'tenant', 'request_id']).execute();

  it('is in the audit trail, once, however often and in whatever way it is told', async () => {
    const store = await server.store();
    const told = decision({ actor: ada });
    await store.writer.keep([told]);
    await store.writer.keep([told]);
    store.writer.offer([told]);
    await store.writer.close();
    expect(await audited(store)).toEqual([
      {
        ...{ subject: 'ada', tenant: 'acme', action: 'raise delete', decision: 'allowed', reason: null },
        operation: 'r1',
      },
    ]);
    expect(await codes(store)).toEqual([]);
  });

  it('is denied where they may not, and has a row among what was rejected', async () => {
    const store = await server.store();
    const rejection = { code: 'not_allowed', message: 'ada has none of them.', state: 'Ready' };
    await store.writer.keep([decision({ actor: ada, rejection, tenant: 'acme' })]);
    expect(await audited(store)).toMatchObject([{ decision: 'denied', reason: 'ada has none of them.' }]);
    expect(await codes(store)).toEqual([{ code: 'not_allowed', subject: 'ada', tenant: 'acme', request_id: 'r1' }]);
  });

  it('is allowed where only the state forbids it; one that names nobody is in no audit trail', async () => {
    const store = await server.store();
    const rejection = { code: 'not_valid', message: 'Not now.', state: 'Creating' };
    await store.writer.keep([decision({ actor: ada, rejection }), decision({ id: 'r2@4', request: 'r2', rejection })]);
    expect(await audited(store)).toMatchObject([{ decision: 'allowed', reason: 'The entity rejected it: not_valid.' }]);
    expect(await codes(store)).toHaveLength(2);
  });

  it('does not show the owner of an entity that another tenant has tried', async () => {
    const store = await server.store();
    const rejection = { code: 'another_tenant', message: 'It belongs to another tenant.', state: 'Ready' };
    await store.writer.keep([decision({ actor: ada, rejection, tenant: 'rival', at: START })]);
    expect(await audited(store)).toMatchObject([{ decision: 'denied' }]);
    expect(await codes(store)).toEqual([]);
  });
});
