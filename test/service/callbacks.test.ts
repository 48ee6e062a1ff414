import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { approvals, Order } from '../entities/order.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const keys = new CallbackKeys(randomBytes(32).toString('base64'));
/** By the amount that is asked for: where it is to be answered, and by which keys it was asked. */
const asked = new Map<number, { readonly path: string; readonly keys: string[] }>();
const log: string[] = [];
const audited: AuditEntry[] = [];
let service: TestService;
let api: RunningService;

const people = implementResource(approvals, {
  ask: async ({ amount }, { callback, idempotencyKey }) => {
    const known = asked.get(amount)?.keys ?? [];
    asked.set(amount, { path: new URL(callback.url).pathname, keys: [...known, idempotencyKey] });
  },
  book: async ({ by }) => {
    if (by === 'nobody') throw new Error('nobody books');
    return {};
  },
});

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/order-workflows.ts',
    declarations: ['entities/order.ts'],
    entities: [Order],
    resources: [people],
    callbacks: { url: 'https://callbacks.example/api', keys },
  });
  const logger = pino({}, { write: (line: string) => void log.push(line) });
  const module = { name: 'test', version: 1, entities: [Order], resources: [approvals] };
  api = await startService(
    createApplication({
      reeve: service.reeve,
      modules: [module],
      log: logger,
      audit: { record: (entry) => void audited.push(entry) },
      callbacks: { url: 'https://callbacks.example/api', keys },
    }),
    {},
  );
});
afterAll(async () => {
  await api.stop();
  await service.close();
});

/** An order that waits for its approval: where that is answered. */
async function order(key: string, amount: number): Promise<string> {
  await service.reeve.create(Order, key, 'place', { amount });
  await until(() => Promise.resolve(expect(asked.has(amount)).toBe(true)));
  return asked.get(amount)!.path;
}

async function send(path: string, body: unknown, { method = 'POST', type = 'application/json' } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: { 'content-type': type },
    ...(method === 'POST' && { body: text }),
  });
  const said = JSON.parse((await answer.text()) || '{}') as { readonly status?: unknown; readonly code?: string };
  return { status: answer.status, code: said.code };
}

const yes = { output: { by: 'ann' } };
const stateOf = async (key: string) => (await service.reeve.read({ type: 'Order', key })).snapshot.state;
const settled = (key: string, state: string) => until(async () => expect(await stateOf(key)).toBe(state));

describe('an address at which a call is answered (A1)', () => {
  it('takes the answer, the same again, and no other one', async () => {
    const path = await order('a', 1);
    expect(await send(path, yes)).toMatchObject({ status: 200 });
    expect(await send(path, yes)).toMatchObject({ status: 200 });
    await settled('a', 'Approved');
    expect(await send(path, yes)).toMatchObject({ status: 200 });
    expect(await send(path, { output: { by: 'bob' } })).toMatchObject({ status: 409, code: 'answered_otherwise' });
    expect((await service.reeve.read({ type: 'Order', key: 'a' })).snapshot.properties['by']).toBe('ann');
  });

  it('takes a failure, which the action gets with its code', async () => {
    const path = await order('b', 2);
    expect(await send(path, { error: { code: 'refused', message: 'too dear' } })).toMatchObject({ status: 200 });
    await settled('b', 'Refused');
    expect(await send(path, { error: { code: 'refused', message: 'too dear' } })).toMatchObject({ status: 200 });
  });

  it('is closed once nobody waits any more', async () => {
    const path = await order('c', 3);
    await service.reeve.operations.result(await service.reeve.raise(Order, 'c', 'withdraw'));
    expect(await send(path, yes)).toMatchObject({ status: 410, code: 'callback_closed' });
    expect(await stateOf('c')).toBe('Withdrawn');
  });

  it('tells nothing to who has made it up, cut it, or changed it, and needs no other proof', async () => {
    const path = await order('d', 4);
    const [, , , token = ''] = path.split('/');
    const [said = '', signature = ''] = token.split('.');
    const forged = new CallbackKeys(randomBytes(32).toString('base64')).tokenOf(keys.questionOf(token)!);
    const others = Buffer.from(said, 'base64url').toString().replaceAll('Order', 'Other');
    const changed = `${Buffer.from(others).toString('base64url')}.${signature}`;
    for (const wrong of [forged, token.slice(0, -1), said, `${said}.`, 'x', changed, `${token}.x`]) {
      expect(await send(`/api/callbacks/${wrong}`, yes)).toMatchObject({ status: 404, code: 'absent' });
    }
    expect(await stateOf('d')).toBe('Approving');
    expect(await send(path, yes)).toMatchObject({ status: 200 });
  });

  it('waits for as long as an operator says, and no longer than the calendar goes', async () => {
    const path = await order('far', 71);
    const at = '/api/test/v1/Order/far';
    const open = async () => {
      const answer = await fetch(`${api.url}${at}/pending-callbacks`);
      return ((await answer.json()) as { items: readonly { id: string; until: number }[] }).items[0]!;
    };
    const { id } = await open();
    for (const within of ['', '2', 'forever', '9999999d', `${'9'.repeat(400)}d`]) {
      const extended = await send(`${at}/extend-callback`, { callback: id, within });
      expect(extended, within).toMatchObject({ status: 400, code: 'invalid_parameters' });
    }
    for (const within of ['2900000d', '2900000.00000001d']) {
      expect((await send(`${at}/extend-callback`, { callback: id, within })).status, within).toBeLessThan(300);
    }
    expect(new Date((await open()).until).getUTCFullYear()).toBeGreaterThan(9_000);
    await service.stopWorker();
    await service.startWorker();
    expect(await send(path, yes)).toMatchObject({ status: 200 });
    await settled('far', 'Approved');
  });

  it('refuses what is no answer, with what is wrong', async () => {
    const path = await order('e', 5);
    expect(await send(path, { output: 'x'.repeat(10_000_000) })).toMatchObject({ status: 413 });
    expect(await send(path, 'by=ann', { type: 'application/x-www-form-urlencoded' })).toMatchObject({ status: 415 });
    expect(await send(path, '{"output":')).toMatchObject({ status: 400 });
    for (const wrong of [{}, { by: 'ann' }, { output: 1, error: { code: 'x', message: '' } }, { error: 'x' }, []])
      expect(await send(path, wrong)).toMatchObject({ status: 400, code: 'invalid_parameters' });
    expect(await send(path, '', { method: 'GET' })).toMatchObject({ status: 405 });
    expect(await stateOf('e')).toBe('Approving');
  });

  it('is in the audit trail as refused where the output is not one of the call (S6.5)', async () => {
    const path = await order('audited', 72);
    expect(await send(path, { output: { by: 7 } })).toMatchObject({ status: 400, code: 'invalid_parameters' });
    expect(await send(path, yes)).toMatchObject({ status: 200 });
    const own = audited.filter(({ access }) => 'entity' in access && access.entity?.key === 'audited');
    expect(own.map(({ decision, reason }) => [decision, reason])).toEqual([
      ['allowed', 'The entity rejected it: invalid_parameters.'],
      ['allowed', undefined],
    ]);
  });

  it('goes on after its worker has ended, asks nobody again, and is asked by one key however often', async () => {
    const path = await order('f', 6);
    await service.stopWorker();
    await service.startWorker();
    expect(await send(path, yes)).toMatchObject({ status: 200 });
    await settled('f', 'Approved');
    expect(asked.get(6)!.keys).toHaveLength(1);
  });

  it('stands in no log and no history (C2)', async () => {
    const path = await order('g', 7);
    await send(path, yes);
    await settled('g', 'Approved');
    const tokens = [...asked.values()].map((each) => each.path.split('/')[3]!);
    const { history } = await service.environment.client.workflow
      .getHandle('Order/g')
      .fetchHistory()
      .then((each) => ({ history: JSON.stringify(each) }));
    const snapshot = JSON.stringify((await service.reeve.read({ type: 'Order', key: 'g' })).snapshot);
    const written = [...log, history, snapshot].join('\n');
    for (const token of tokens) {
      expect(written).not.toContain(token.split('.')[1]);
      expect(written).not.toContain(token.split('.')[0]);
    }
  });
});
