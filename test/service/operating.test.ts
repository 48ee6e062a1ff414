import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Audience } from '../../src/client/explain/audience.js';
import type { ExplainedEntity } from '../../src/client/explain/explanation.js';
import { ResourceError } from '../../src/protocol/errors.js';
import { createApplication } from '../../src/service/application.js';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import type { Authenticator } from '../../src/service/authentication/authenticator.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { implementResource } from '../../src/temporal/resources.js';
import { Batch, Job, machines } from '../entities/job.js';
import { Press } from '../entities/press.js';
import { ask } from '../support/management.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** Machines that are broken, and those that work until they are told to stop. */
const broken = new Set<string>();
const at = '/api/plant/v1';
const audited: AuditEntry[] = [];
let service: TestService;
let api: RunningService;

/** Anyone who says so in a header is it. */
const authenticator: Authenticator = {
  async authenticate({ headers }) {
    const subject = headers.get('x-subject');
    return subject === null ? undefined : { actor: { subject, tenant: '*', roles: [subject] }, until: Infinity };
  },
};

beforeAll(async () => {
  const resource = implementResource(machines, {
    work: async ({ on }, { signal }) => {
      if (broken.has(on)) throw new ResourceError('broken', `${on} is broken`);
      if (on.startsWith('held')) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return {};
    },
  });
  const entities = [Press, Batch, Job];
  service = await startTestService({
    workflows: 'entities/press-workflows.ts',
    declarations: ['entities/press.ts', 'entities/job.ts'],
    entities,
    resources: [resource],
  });
  const application = createApplication({
    ...{ reeve: service.reeve, authenticator, log: pino({ level: 'silent' }) },
    modules: [{ name: 'plant', version: 1, entities }],
    audit: { record: (entry) => void audited.push(entry) },
  });
  api = await startService(application);
});
afterAll(async () => {
  await api.stop();
  await service.close();
});

const headers = { 'x-subject': 'operator', prefer: 'wait=20' };
const post = (path: string, json?: unknown, other: Readonly<Record<string, string>> = {}) =>
  ask(api, 'POST', `${at}${path}`, { json, headers: { ...headers, ...other } });
const get = (path: string) => ask(api, 'GET', path, { headers });

describe('an operator (S6.1)', () => {
  it('runs an action again that has used up its attempts, once for one key (S2.5, S3.5)', async () => {
    broken.add('p');
    expect(await post('/Press', { key: 'p', event: 'press' })).toMatchObject({
      status: 200,
      body: { outcome: 'failed' },
    });
    expect(await get(`${at}/Press/p`)).toMatchObject({
      body: {
        ...{ state: 'Pressing', exhausted: true, health: 'error' },
        stuck_since: expect.stringMatching(/^20.*Z$/),
        stuck: { reason: 'exhausted', what_to_do: expect.stringContaining("'reeve retry Press/p'") },
      },
    });
    const again = await post('/Press/p/retry-action');
    expect(again).toMatchObject({ status: 200, body: { outcome: 'failed', errors: [{ code: 'broken' }] } });
    broken.delete('p');
    const etag = (await get(`${at}/Press/p`)).headers.get('etag')!;
    const keyed = { 'idempotency-key': 'again', 'if-match': etag };
    expect(await post('/Press/p/retry-action', undefined, keyed)).toMatchObject({
      status: 200,
      body: { name: 'reeve_retry Press/p', outcome: 'success', participants: [{ state: 'Pressed' }] },
    });
    expect(await post('/Press/p/retry-action', undefined, keyed)).toMatchObject({
      status: 200,
      body: { outcome: 'success' },
    });
    expect(await post('/Press/p/retry-action')).toMatchObject({ status: 409, body: { code: 'terminal' } });
  });

  it('says that a successor is lost, and nobody waits for it any longer (S4.4)', async () => {
    const taken = await post('/Batch', { key: 'b', event: 'run', parameters: { jobs: ['held-b'] } }, { prefer: '' });
    await until(async () => expect((await get(`${at}/Job/held-b`)).body['state']).toBe('Working'));
    await service.environment.client.workflow.getHandle('Job/held-b').terminate();
    const marked = await post('/Batch/b/mark-lost', { successor: 'Job/held-b' });
    expect(marked).toMatchObject({ status: 200, body: { request_id: taken.body['request_id'], outcome: 'failed' } });
    expect(marked.body['errors']).toMatchObject([{ code: 'lost' }]);
    expect(await get(`${at}/Batch/b`)).toMatchObject({ body: { state: 'Finished' } });
  });

  it('asks to cancel an operation, and the entities answer as they declare (S4.7)', async () => {
    const taken = await post('/Job', { key: 'held-c', event: 'start' }, { prefer: '' });
    const followed = taken.headers.get('operation-location')!;
    await until(async () => expect((await get(followed)).body['name']).toBe('start Job/held-c'));
    const cancel = followed.replace('?', '/cancel?');
    expect((await ask(api, 'POST', cancel, { headers })).status).toBe(202);
    await until(async () => expect((await get(followed)).body['outcome']).toBe('canceled'));
    expect(await ask(api, 'POST', cancel, { headers })).toMatchObject({ status: 409, body: { code: 'already_ended' } });
  });
});

describe('an explanation (S5.4)', () => {
  it('says of an operation and of an entity what they wait for, down to the call that has no answer', async () => {
    const taken = await post('/Batch', { key: 'e', event: 'run', parameters: { jobs: ['held-e'] } }, { prefer: '' });
    const location = taken.headers.get('operation-location')!;
    const called = await until(async () => {
      const { status, body } = await get(location.replace('?', '/explanation?'));
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain('machines.work');
      return JSON.stringify(body);
    });
    expect(called).toContain('Batch/e');
    const entity = await get(`${at}/Batch/e/explanation`);
    expect(entity).toMatchObject({ status: 200, body: { entities: [{ kind: 'entity', entity: 'Batch/e' }] } });
    expect(JSON.stringify(entity.body)).toContain('Job/held-e');
    expect((await get(`${at}/Batch/nobody/explanation`)).status).toBe(404);
  });

  it('says nothing of entities that are not for whoever asks, and of none whether it is there (S6.5)', async () => {
    const taken = await post('/Batch', { key: 'h', event: 'run', parameters: { jobs: ['held-h'] } }, { prefer: '' });
    const operation = String(taken.body['request_id']);
    const audience: Audience = { everything: false, shows: async ({ type }) => type === 'Batch' };
    const { reeve } = service;
    await until(async () => {
      const seen = JSON.stringify(await reeve.operations.explain(operation));
      for (const name of ['machines.work', 'Batch/h', 'Job/held-h']) expect(seen).toContain(name);
    });
    const [batch] = (await reeve.explain({ type: 'Batch', key: 'h' }, audience)).entities;
    const hidden = { kind: 'unread', entity: 'Job/held-h', reason: 'hidden', calls: [] };
    expect(batch).toMatchObject({ kind: 'entity', entity: 'Batch/h', below: [hidden] });
    expect((batch as ExplainedEntity).below).toEqual([hidden]);
    const told = await reeve.operations.explain(operation, audience);
    expect(told.entities.map((node) => node.entity)).toEqual(['Batch/h']);
    expect(told.operation).toMatchObject({ kind: 'operation', open: [{ entity: 'Batch/h' }] });
    expect(JSON.stringify(told)).not.toContain('machines.work');
    await expect(reeve.explain({ type: 'Job', key: 'held-h' }, audience)).rejects.toMatchObject({ code: 'absent' });
    await expect(reeve.explain({ type: 'Job', key: 'none' }, audience)).rejects.toMatchObject({ code: 'absent' });
  });
});

describe('who may do what (S6.5)', () => {
  it('is asked before anything is done, and every decision is audited', async () => {
    audited.splice(0);
    const guest = { 'x-subject': 'guest' };
    const refusal = "'create' by 'press' on Press/mine requires one of the roles operator, and guest has none of them.";
    const refused = await post('/Press', { key: 'mine', event: 'press' }, guest);
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_allowed', detail: refusal } });
    expect((await get(`${at}/Press/mine`)).status).toBe(404);
    await post('/Press', { key: 'mine', event: 'press' });
    const entity = { type: 'Press', key: 'mine' };
    expect(audited).toMatchObject([
      {
        actor: { subject: 'guest' },
        access: { action: 'create', event: 'press', entity },
        decision: 'denied',
        reason: refusal,
        requestId: refused.body['requestId'],
      },
      { actor: { subject: 'operator' }, access: { action: 'read', entity }, decision: 'allowed' },
      { actor: { subject: 'operator' }, access: { action: 'create', event: 'press', entity }, decision: 'allowed' },
    ]);
  });

  it('needs to know who asks', async () => {
    expect(await ask(api, 'GET', `${at}/Press/p`)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });
});
