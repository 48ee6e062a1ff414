import pino from 'pino';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication, type Application } from '../../src/service/application.js';
import { serviceStore } from '../../src/service/service-store.js';
import { openStore, secretProperties, type Store } from '../../src/store/index.js';
import { ResourceError } from '../../src/protocol/errors.js';
import { WAKE_SIGNAL } from '../../src/protocol/names.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { temporalClient } from '../../src/temporal/temporal-client.js';
import type { PayloadKeyFile } from '../../src/secrecy/payload-key-file.js';
import { bank, Wire } from '../entities/wire.js';
import { keyFile } from '../secrecy/key-file.js';
import { useServer } from '../store/server.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { rolesAndTenants, type Who } from '../support/who.js';

const IBAN = 'DE02120300000000202051';
const PIN = 'pin-4711';
const KEY = 'key-0815';
const SECRETS = [IBAN, PIN, KEY, 'code-of-login', 'token-of-receipt', 'session-of-rate'];
const server = useServer();
const callbacks = { url: 'https://callbacks.example/api', keys: new CallbackKeys(randomBytes(32).toString('base64')) };
const audited: { readonly access: object; readonly decision: string }[] = [];
const tokens: string[] = [];
/** How often a transfer of an amount still fails. */
const failures = new Map<number, number>();
let keys: PayloadKeyFile;
let store: Store;
let service: TestService;
let application: Application;

beforeAll(async () => {
  keys = await keyFile();
  store = openStore({
    ...{ url: await server.database(), dimensions: ['tenant'] },
    ...{ secret: secretProperties([Wire]), payloads: { keys } },
  });
  await store.migrate();
  service = await startTestService({
    workflows: 'entities/wire-workflows.ts',
    declarations: ['entities/wire.ts'],
    entities: [Wire],
    resources: [
      implementResource(bank, {
        transfer: async ({ amount }) => {
          const left = failures.get(amount) ?? 0;
          failures.set(amount, left - 1);
          if (left > 0) throw new ResourceError('bank_closed', `no transfer to ${IBAN} today`);
          return { receipt: `receipt for ${IBAN}`, token: 'token-of-receipt' };
        },
        rate: async () => ({ rate: 7, session: 'session-of-rate' }),
        confirm: async (_, { callback }) => void tokens.push(callback.token),
      }),
    ],
    records: store.writer,
    payloads: { keys },
    callbacks,
  });
  application = applicationOf(service.reeve);
});
afterAll(async () => {
  await service.close();
  await store.close();
});

function applicationOf(reeve: ReeveClient): Application {
  return createApplication({
    ...{ reeve, log: pino({ level: 'silent' }), authenticator: rolesAndTenants, callbacks },
    modules: [{ name: 'bank', version: 1, entities: [Wire], resources: [bank] }],
    audit: { record: (entry) => void audited.push(entry) },
    store: serviceStore(store),
  });
}

interface Value {
  readonly status: string;
  readonly value?: unknown;
  readonly reason?: string;
  readonly masked?: readonly string[];
  readonly cut?: readonly string[];
}
interface Values {
  readonly history: string;
  readonly reason?: string;
  readonly parameters: Value;
  readonly result: object | null;
  readonly calls: readonly {
    readonly call: string;
    readonly mode: string;
    readonly action: string;
    readonly input: Value;
    readonly output: Value;
    readonly error?: { readonly code: string; readonly message: string };
  }[];
}

const reader: Who = { role: 'reader', tenant: 'acme' };
const operator: Who = { role: 'operator', tenant: '*' };
const owner = { subject: 'ann', tenant: 'acme', roles: ['owner'] };

async function ask(path: string, who: Who = operator, of = application) {
  const headers = { 'x-role': who.role, 'x-tenant': who.tenant };
  const answer = await of.fetch(new Request(`http://127.0.0.1${path}`, { headers }));
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Readonly<Record<string, unknown>> };
}

/** The numbers of the events of a wire, that have ended: the latest first. */
async function eventsOf(key: string, name: string, ended = true): Promise<number> {
  return until(async () => {
    const { body } = await ask(`/api/entities/Wire/${key}/events?$filter=event eq '${name}'&$orderby=event_id desc`);
    const [row] = body['value'] as readonly { readonly event_id: number; readonly end_time: string | null }[];
    expect(row).toBeDefined();
    if (ended) expect(row!.end_time).not.toBeNull();
    return row!.event_id;
  });
}

async function valuesOf(event: number, who: Who = reader, of = application): Promise<Values> {
  const { status, text, body } = await ask(`/api/events/${event}/values`, who, of);
  expect(status, text).toBe(200);
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  return body as unknown as Values;
}

const send = (key: string, amount: number, more = {}) =>
  service.reeve.create(Wire, key, 'send', { iban: IBAN, amount, pin: PIN, apiKey: KEY, ...more }, { actor: owner });

it('shows parameters, inputs, outputs and failures, with all secrets masked (S5.1, S6.5, mask.1, mask.2)', async () => {
  failures.set(5, 1);
  await send('a', 5, { memo: 'x'.repeat(3_000), lines: Array.from({ length: 150 }, (_, n) => `line ${n}`) });
  const values = await valuesOf(await eventsOf('a', 'send'));
  expect(values).toMatchObject({
    history: 'complete',
    parameters: {
      status: 'recorded',
      value: { iban: '***', amount: 5, pin: '***', apiKey: '***' },
      masked: ['iban', 'pin', 'apiKey'],
      cut: ['memo: 1000 more characters', 'lines: 50 more items'],
    },
    result: { result: 'success', state: 'Sent' },
  });
  expect(values.calls).toMatchObject([
    {
      ...{ call: 'bank.transfer', mode: 'activity', action: 'transfer', worker: expect.stringMatching(/.+@.+/) },
      error: { code: 'bank_closed', message: 'no transfer to *** today' },
      output: { status: 'none' },
    },
    {
      // The account has another name than the secret property, and its value is hidden as well.
      input: { value: { account: '***', amount: 5, memo: 'to ***', login: { user: 'reeve', code: '***' } } },
      output: { value: { receipt: 'receipt for ***', token: '***' } },
    },
  ]);
});

it('shows outputs of inline calls, and says that their inputs are not recorded (S5.1, run-values.1)', async () => {
  await send('b', 1);
  await eventsOf('b', 'send');
  await service.reeve.operations.result(await service.reeve.raise(Wire, 'b', 'rate', { currency: 'EUR' }));
  const values = await valuesOf(await eventsOf('b', 'rate'));
  expect(values).toMatchObject({
    ...{ history: 'complete', parameters: { value: { currency: 'EUR' } } },
    calls: [
      {
        ...{ call: 'bank.rate', mode: 'inline', action: 'rate' },
        input: { status: 'not_recorded', reason: expect.stringContaining('inline') },
        output: { status: 'recorded', value: { rate: 7, session: '***' }, masked: ['session'] },
      },
    ],
  });
});

it('shows the answer to a callback, and events before and after continue-as-new (S5.1)', async () => {
  await send('c', 2);
  await eventsOf('c', 'send');
  const handle = service.client.workflow.getHandle('Wire/c');
  const run = async () => (await handle.describe()).runId;
  const first = await run();
  await until(async () => {
    await handle.signal(WAKE_SIGNAL);
    expect(await run()).not.toBe(first);
  });
  await service.reeve.raise(Wire, 'c', 'confirm');
  await until(async () => expect(tokens).toHaveLength(1));
  await service.reeve.raise(Wire, 'c', 'note', { text: 'waits' });
  const pending = await valuesOf(await eventsOf('c', 'confirm', false));
  expect(pending.calls).toMatchObject([
    { mode: 'callback', input: { value: { amount: 2 } }, output: { status: 'none' }, end_time: null },
  ]);
  await service.reeve.answer(callbacks.keys.questionOf(tokens[0]!)!, { output: { by: 'bob' } });
  const values = await valuesOf(await eventsOf('c', 'confirm'));
  expect(values).toMatchObject({
    ...{ history: 'complete', parameters: { status: 'none' } },
    calls: [{ call: 'bank.confirm', output: { value: { by: 'bob' } }, end_time: expect.any(String) as string }],
  });
  expect(await valuesOf(await eventsOf('c', 'note'))).toMatchObject({ parameters: { value: { text: 'waits' } } });
  expect(await valuesOf(await eventsOf('c', 'send'))).toMatchObject({
    ...{ history: 'complete', parameters: { value: { amount: 2 } }, calls: [{ call: 'bank.transfer' }] },
  });
});

it('shows the parameters of plain signals, as far as they can be told apart (S5.1)', async () => {
  await send('d', 3);
  await eventsOf('d', 'send');
  const handle = service.client.workflow.getHandle('Wire/d');
  await handle.signal('note', { text: 'by name' }, { request: 'named-1' });
  const named = await eventsOf('d', 'note');
  expect(await valuesOf(named)).toMatchObject({ parameters: { value: { text: 'by name' } } });
  await handle.signal('note', { text: 'nameless' });
  const nameless = await until(async () => {
    const latest = await eventsOf('d', 'note');
    expect(latest).not.toBe(named);
    return latest;
  });
  expect(await valuesOf(nameless)).toMatchObject({ parameters: { value: { text: 'nameless' } } });
});

it('is for those who may read the entity, and audited; for others there is no such event (S6.5, guard.2)', async () => {
  await send('e', 4);
  const event = await eventsOf('e', 'send');
  const absent = await ask(`/api/events/999/values`, { role: 'reader', tenant: 'rival' });
  for (const who of [
    { role: 'reader', tenant: 'rival' },
    { role: 'operator', tenant: 'rival' },
  ]) {
    const { status, text } = await ask(`/api/events/${event}/values`, who);
    expect([status, text.replaceAll(String(event), '999').replace(/"requestId":"[^"]*"/, '')]).toEqual([
      404,
      absent.text.replace(/"requestId":"[^"]*"/, ''),
    ]);
  }
  expect((await ask(`/api/events/${event}/values`, { role: 'guest', tenant: 'acme' })).status).toBe(403);
  expect((await ask(`/api/events/999/values`, { role: 'guest', tenant: 'acme' })).status).toBe(403);
  audited.length = 0;
  await valuesOf(event);
  await ask(`/api/events/${event}/values`, { role: 'reader', tenant: 'rival' });
  const access = { action: 'read', list: 'values', entity: { type: 'Wire', key: 'e' } };
  expect(audited).toMatchObject([
    { access, decision: 'allowed' },
    { access, decision: 'denied' },
  ]);
});

it('says that payloads cannot be decrypted where the service has no keys (Q5)', async () => {
  await send('f', 6);
  const event = await eventsOf('f', 'send');
  const client = temporalClient({ connection: service.environment.connection, namespace: service.namespace });
  const keyless = applicationOf(new ReeveClient({ client, entities: [Wire] }));
  const values = await valuesOf(event, reader, keyless);
  expect(values).toMatchObject({
    ...{ history: 'unreadable', reason: expect.stringContaining('REEVE_PAYLOAD_KEYS') },
    ...{ parameters: { status: 'unreadable' }, calls: [] },
  });
});

it('says where the history is gone, is too long, or belongs to another life (S5.1, S6.5)', async () => {
  await send('g', 7);
  const event = await eventsOf('g', 'send');
  const origin = await serviceStore(store).eventOrigin(event);
  const asked = { entity: { type: 'Wire', key: 'g' }, ...origin!, startedAt: origin!.start_time.getTime(), inline: [] };
  expect(await service.reeve.values(asked, { events: 3 })).toMatchObject({
    ...{ history: 'incomplete', reason: expect.stringContaining('first 3 events') },
    request: { params: { amount: 7 } },
  });
  // The key lives again: the history of the new life is nobody's who reads the old one.
  const other = await service.reeve.values({ ...asked, life: 'another life' });
  expect(other).toEqual({ history: 'gone', reason: expect.stringContaining('no longer'), calls: [] });
  const { client, namespace } = service;
  await client.workflow.getHandle('Wire/g').terminate();
  const execution = { workflowId: 'Wire/g' };
  await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: execution });
  await until(async () => expect(await valuesOf(event)).toMatchObject({ history: 'gone', calls: [] }));
  expect(await valuesOf(event)).toMatchObject({
    ...{ parameters: { status: 'gone', reason: expect.stringContaining('retention') } },
    result: { state: 'Sent' },
  });
});
