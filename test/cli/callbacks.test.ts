import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import type { Authenticator } from '../../src/service/authentication/authenticator.js';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { approvals, Order } from '../entities/order.js';
import { callReeve } from '../support/reeve-call.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const callbacks = { url: '', keys: new CallbackKeys(randomBytes(32).toString('base64')) };
const audited: AuditEntry[] = [];
/** The roles of who asks. */
let roles: readonly string[] = ['operator'];
const authenticator: Authenticator = {
  authenticate: async ({ headers }) =>
    headers.has('authorization') ? { actor: { subject: 'ann', tenant: '*', roles }, until: Infinity } : undefined,
};
let service: TestService;
let api: RunningService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/order-workflows.ts',
    declarations: ['entities/order.ts'],
    entities: [Order],
    resources: [implementResource(approvals, { ask: async () => undefined, book: async () => ({}) })],
    callbacks: { ...callbacks, url: 'https://callbacks.example/api' },
  });
  const module = { name: 'test', version: 1, entities: [Order], resources: [approvals] };
  api = await startService(
    createApplication({
      ...{ reeve: service.reeve, modules: [module], log: pino({ level: 'silent' }), callbacks, authenticator },
      audit: { record: (entry) => void audited.push(entry) },
    }),
    {},
  );
  callbacks.url = `${api.url}/api`;
});
afterAll(async () => {
  await api.stop();
  await service.close();
});

const read = async (key: string) => (await service.reeve.read({ type: 'Order', key })).snapshot;
const reeve = (...words: string[]) => callReeve(words, { REEVE_API: api.url, REEVE_API_KEY: 'any' }, process.cwd());

async function asked(key: string): Promise<string> {
  await service.reeve.create(Order, key, 'place', { amount: 5 });
  await until(async () => expect((await read(key)).callbacks).toMatchObject([{ asked: true }]));
  return `Order/${key}`;
}

describe('reeve callbacks (A1, A2)', () => {
  it('shows an operator how an answer is given, by a command that works as it stands', async () => {
    const explained = await reeve('explain', await asked('curl'));
    expect(explained.stdout).toMatch(/waits on callback: the answer to approvals\.ask comes from outside, asked/);
    const [command] = /curl -X POST .*/.exec(explained.stdout)!;
    expect(command).toContain(`-d '{"output":{"by":"..."}}'`);
    const said = await promisify(execFile)('sh', ['-c', command]);
    expect(JSON.parse(said.stdout)).toEqual({ status: 'answered', entity: 'Order/curl' });
    await until(async () => expect((await read('curl')).state).toBe('Approved'));
  });

  it('shows no address to who may only read, and writes down who has seen one', async () => {
    const order = await asked('secret');
    roles = ['reader'];
    const explained = await reeve('explain', order);
    expect(explained.stdout).toContain('waits on callback');
    expect(explained.stdout).not.toContain('/callbacks/');
    expect(await reeve('callbacks', 'list', order)).toMatchObject({ code: 2, stdout: '' });
    roles = ['operator'];
    await reeve('callbacks', 'list', order);
    const seen = audited.filter(({ access }) => access.action === 'callbacks');
    expect(seen.map(({ decision }) => decision).slice(-2)).toEqual(['denied', 'allowed']);
  });

  it('answers, and says what is wrong with an output before it reaches its entity', async () => {
    const order = await asked('answered');
    const wrong = await reeve('callbacks', 'answer', order, '--output', '{"by":7}');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/^invalid_parameters: The output is not valid for approvals\.ask/);
    expect((await read('answered')).callbacks).toMatchObject([{ round: 1, asked: true }]);
    const right = await reeve('callbacks', 'answer', order, 'approvals.ask', '--output', '{"by":"bob"}');
    expect(right).toMatchObject({ code: 0, stdout: 'approvals.ask is answered\n' });
    await until(async () => expect((await read('answered')).properties).toMatchObject({ by: 'bob' }));
  });

  it('leaves in the audit trail who has answered; an address alone shows whose callback it was (S6.5)', async () => {
    const answers = () =>
      audited.filter(({ access }) => access.action === 'answer').map(({ actor, access }) => ({ actor, access }));
    const order = await asked('by-ann');
    await reeve('callbacks', 'answer', order, '--output', '{"by":"bob"}');
    const access = { callback: 'approvals.ask', entity: { type: 'Order', key: 'by-ann' } };
    expect(answers().at(-1)).toMatchObject({ actor: { subject: 'ann', tenant: '*', roles }, access });
    const [, url] = /'?(http\S+callbacks\/[^\s']+)/.exec(
      (await reeve('callbacks', 'list', await asked('by-mail'))).stdout,
    )!;
    const body = JSON.stringify({ output: { by: 'bob' } });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(url!, { method: 'POST', headers, body })).status).toBe(200);
    expect(answers().at(-1)?.actor).toEqual({ subject: 'callback of Order/by-mail', tenant: '*', roles: [] });
  });

  it('puts the time off, and gives the answer up', async () => {
    const order = await asked('given-up');
    const limit = async () => (await read('given-up')).callbacks![0]!.until;
    const before = await limit();
    expect(await reeve('callbacks', 'extend', order, '--within', '9d')).toMatchObject({ code: 0 });
    expect((await limit()) - before).toBeGreaterThan(6 * 24 * 3_600_000);
    expect(await reeve('callbacks', 'extend', order, '--within', '1d')).toMatchObject({ code: 2 });
    expect(await reeve('callbacks', 'revoke', order, 'approvals.ask')).toMatchObject({ code: 0 });
    await until(async () => expect((await read('given-up')).lastError).toMatchObject({ code: 'call_revoked' }));
  });

  it('says what is awaited where something else is named', async () => {
    const order = await asked('named');
    const other = await reeve('callbacks', 'revoke', order, 'approvals.sign');
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain('Order/named does not wait on this callback. It waits on: approvals.ask.');
  });
});
