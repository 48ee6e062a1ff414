import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { serviceStore } from '../../src/service/service-store.js';
import { StoreAuditTrail } from '../../src/service/store-audit-trail.js';
import { event, operation, standing, START, transition } from '../store/records.js';
import { useServer } from '../store/server.js';

const server = useServer();
const log = pino({ level: 'silent' });

describe('what the service asks of a real store (S5.2)', () => {
  it('is an entity as it stood, and an operation with its events and their transitions', async () => {
    const store = await server.store(['tenant']);
    const dimensions = { tenant: 'acme' };
    await store.writer.keep([
      operation('create-orders', { dimensions }),
      event('create-orders', { dimensions }),
      event('of another', { operation: 'another' }),
      transition(1),
      transition(2),
      standing(2, { dimensions, properties: { size: 3 } }),
    ]);
    const asked = serviceStore(store);
    const ref = { type: 'LogicalServer', key: 'orders' };
    expect(await asked.entity(ref)).toMatchObject({ version: 2, tenant: 'acme', properties: { size: 3 } });
    expect(await asked.entity({ ...ref, key: 'nobody' })).toBeUndefined();
    const found = await asked.operation('create-orders');
    expect(found).toMatchObject({ request_id: 'create-orders', tenant: 'acme' });
    expect(found?.events).toMatchObject([
      { event: 'create', transitions: [{ transition_ordinal: 1 }, { transition_ordinal: 2 }] },
    ]);
    expect(await asked.operation('none')).toBeUndefined();
  });

  it('and tells it when a request was first answered (S5.1)', async () => {
    const store = await server.store();
    await store.writer.keep([operation('early')]);
    const asked = serviceStore(store);
    await asked.noteFirstResponse('early', START + 3, { type: 'LogicalServer', key: 'orders' });
    await asked.noteFirstResponse('early', START + 9, { type: 'LogicalServer', key: 'orders' });
    const { operation_first_response_time: first } = (await asked.operation('early'))!;
    expect(first).toEqual(new Date(START + 3));
  });

  it('and finds on which entity an operation was opened, before the operation has a row (S4.7)', async () => {
    const store = await server.store();
    const asked = serviceStore(store);
    await asked.noteFirstResponse('answered', START, { type: 'LogicalServer', key: 'orders' });
    // Nobody has asked the service for this one, and nothing of it has ended.
    await store.writer.keep([event('signalled', { operation: 'signalled' })]);
    for (const id of ['answered', 'signalled']) {
      expect(await asked.operationPlace(id)).toEqual({ type: 'LogicalServer', key: 'orders' });
    }
    expect(await asked.operationPlace('none')).toBeUndefined();
  });
});

describe('the audit trail in a real store (S6.5)', () => {
  it('has who, what, when and why of each decision, also of nobody, in whatever order they are written', async () => {
    const store = await server.store();
    const trail = new StoreAuditTrail(store.writer, log);
    const ann = { subject: 'ann', tenant: 'acme', roles: ['owner', 'reader'] };
    const entity = { type: 'Vault', key: `a'; drop table audit_entries` };
    const access = { action: 'raise', event: 'touch', entity, operation: 'op' } as const;
    const common = { at: START, requestId: 'r1' };
    trail.record({ ...common, actor: ann, access, decision: 'allowed', remoteAddress: '10.0.0.1' });
    trail.record({
      at: START + 1,
      requestId: 'r2',
      actor: undefined,
      access: { action: 'GET /api' },
      decision: 'denied',
      reason: 'who?',
    });
    for (let at = 2; at < 1_200; at++) {
      trail.record({
        at: START + at,
        requestId: `r${at}`,
        actor: ann,
        access: { action: 'list', list: 'events' },
        decision: 'allowed',
      });
    }
    await trail.close();
    const rows = store.reader.selectFrom('audit_trail').selectAll().orderBy('time');
    const [allowed, denied, listed, ...others] = await rows.execute();
    const none = { entity_type: null, entity_key: null, operation: null, remote_address: null };
    const { id: _, ...first } = allowed!;
    expect(first).toEqual({
      ...{ time: new Date(START), ...ann, action: 'raise touch', entity_type: 'Vault', entity_key: entity.key },
      ...{ operation: 'op', request_id: 'r1', decision: 'allowed', reason: null, remote_address: '10.0.0.1' },
    });
    expect(denied).toMatchObject({
      subject: 'nobody',
      tenant: null,
      roles: [],
      action: 'GET /api',
      reason: 'who?',
      ...none,
    });
    expect(listed).toMatchObject({ subject: 'ann', action: 'list events', ...none });
    expect(others).toHaveLength(1_197);
  });
});
