import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, type Application } from '../../src/service/application.js';
import { serviceStore } from '../../src/service/service-store.js';
import { openStore, type Store } from '../../src/store/index.js';
import { Cellar, Vault } from '../entities/vault.js';
import { useServer } from '../store/server.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';
import { rolesAndTenants } from '../support/who.js';

/* The overview that the API gives of everything at once, to whom: counts, what needs a person, and one stream for many things. */

const server = useServer();
let store: Store;
let service: TestService;
let application: Application;

beforeAll(async () => {
  store = openStore({ url: await server.database(), dimensions: ['tenant'] });
  await store.migrate();
  service = await startTestService({
    workflows: 'entities/vault-workflows.ts',
    declarations: ['entities/vault.ts', 'entities/lamp.ts'],
    entities: [Vault, Cellar],
    resources: [new Shelf().resource],
    records: store.writer,
  });
  application = createApplication({
    ...{ reeve: service.reeve, authenticator: rolesAndTenants, log: pino({ level: 'silent' }) },
    ...{ store: serviceStore(store), modules: [{ name: 'bank', version: 1, entities: [Vault, Cellar] }] },
  });
  for (const tenant of ['acme', 'acme', 'rival']) {
    const number = (await rowsOf()).length + 1;
    const { status } = await ask('owner', tenant, '/api/bank/v1/Vault', { key: `${tenant}-${number}`, event: 'open' });
    expect(status).toBe(201);
    await until(async () => expect(await rowsOf()).toHaveLength(number));
  }
});
afterAll(async () => {
  application.stop();
  await service.close();
  await store.close();
});

const rowsOf = () => store.reader.selectFrom('entities').select('key').where('settled', '=', true).execute();

async function ask(role: string, tenant: string, path: string, json?: unknown, more = {}) {
  const response = await application.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { 'x-role': role, 'x-tenant': tenant, 'content-type': 'application/json', prefer: 'wait=20', ...more },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Gives what one stream tells, until something has come. */
async function watch(role: string, tenant: string, of: readonly string[], enough: (told: readonly Told[]) => boolean) {
  const query = of.map((each) => `of=${encodeURIComponent(each)}`).join('&');
  const headers = { 'x-role': role, 'x-tenant': tenant };
  const response = await application.fetch(new Request(`http://127.0.0.1/api/watch?${query}`, { headers }));
  expect(response.status).toBe(200);
  const told: Told[] = [];
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop()!;
    for (const part of parts) {
      const [, data] = /^data: (.*)$/m.exec(part) ?? [];
      if (data !== undefined) told.push(JSON.parse(data) as Told);
    }
    if (enough(told)) break;
  }
  return told;
}

interface Told {
  readonly of: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly problem?: Readonly<Record<string, unknown>>;
}

describe('what there is, at once (S6.3)', () => {
  it('is counted by type and state, of what somebody may read alone (S6.5)', async () => {
    const count = async (tenant: string) => (await ask('reader', tenant, '/api/entities/summary')).body['items'];
    const open = {
      type: 'Vault',
      state: 'Open',
      health: 'normal',
      in_progress: 0,
      stuck: 0,
      hung: 0,
      stuck_since: null,
    };
    expect(await count('acme')).toEqual([{ ...open, total: 2 }]);
    expect(await count('rival')).toEqual([{ ...open, total: 1 }]);
    expect(await count('*')).toEqual([{ ...open, total: 3 }]);
  });

  it('is told with what moved in a period, and what was rejected there (S6.5)', async () => {
    const moved = async (tenant: string) => {
      const { body } = await ask('reader', tenant, '/api/transitions/summary?from=1h&by=hour');
      const transitions = body['transitions'] as readonly { type: string; end_state: string; total: number }[];
      return transitions.filter(({ end_state }) => end_state === 'Open').reduce((sum, { total }) => sum + total, 0);
    };
    expect(await moved('rival')).toBe(1);
    expect(await moved('*')).toBe(3);
    expect(await ask('reader', '*', '/api/transitions/summary?of=Vault')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'of' }] },
    });
  });

  it('needs nobody while everything gets on', async () => {
    expect((await ask('reader', 'acme', '/api/attention')).body).toMatchObject({
      ...{ items: [], partial: [] },
      workers: { alive: 1, builds: [{ build: null, workers: 1 }] },
    });
  });

  it('says who asks, and what they may do', async () => {
    const { body } = await ask('reader', 'acme', '/api/me');
    expect(body).toMatchObject({ subject: 'reader of acme', tenant: 'acme', roles: ['reader'], until: null });
    expect(body['types']).toEqual([
      { type: 'Vault', read: true, create: [], construct: false, raise: [], operate: false },
    ]);
    const { body: declared } = await ask('reader', 'acme', '/api/types');
    expect(declared['items']).toMatchObject([{ name: 'Vault', path: '/api/bank/v1/Vault', creation: ['open'] }]);
  });
});

describe('one stream for many things (S6.1)', () => {
  it('tells each as it is, with the events that it would take, and whenever it changes', async () => {
    let touched = false;
    const versions: unknown[] = [];
    await watch('owner', 'acme', ['Vault/acme-1', 'summary'], (told) => {
      const vault = told.findLast(({ of }) => of === 'Vault/acme-1')?.data;
      const summary = told.findLast(({ of }) => of === 'summary')?.data;
      if (!vault || !summary) return false;
      expect(summary['items']).toMatchObject([{ type: 'Vault', total: 2 }]);
      if (vault['version'] !== versions.at(-1)) versions.push(vault['version']);
      const events = vault['events'] as readonly { readonly event: string; readonly allowed: boolean }[];
      expect(events.find(({ event }) => event === 'touch')).toMatchObject({ allowed: true });
      expect(events.find(({ event }) => event === 'unseal')).toBeDefined();
      if (!touched) void ask('owner', 'acme', '/api/bank/v1/Vault/acme-1/touch', {});
      touched = true;
      return versions.length > 1;
    });
    expect(versions).toHaveLength(2);
  });

  it('tells nothing of what belongs to another tenant, in the words of what does not exist (S6.5)', async () => {
    const told = await watch('reader', 'rival', ['Vault/acme-1', 'Vault/none-1'], ({ length }) => length === 2);
    const [theirs, none] = ['Vault/acme-1', 'Vault/none-1'].map((of) => told.find((each) => each.of === of)?.problem);
    const words = (problem: Told['problem'], key: string) =>
      JSON.stringify({ ...problem, requestId: '' }).replaceAll(key, 'KEY');
    expect(theirs).toMatchObject({ status: 404, code: 'absent' });
    expect(words(theirs, 'acme-1')).toBe(words(none, 'none-1'));
  });
});

describe('an entity as it was (S5.1)', () => {
  it('is read at each of its versions, in each life, also when it has been deleted', async () => {
    const vaults = '/api/bank/v1/Vault';
    const at = `${vaults}/history`;
    const open = () => ask('owner', 'acme', vaults, { key: 'history', event: 'open' });
    const asOf = (version: number | string, more = '') => ask('reader', 'acme', `${at}/as-of/${version}${more}`);
    const shows = (touched: number, version: number) =>
      until(async () => {
        const { status, body } = await asOf(version);
        expect([status, body]).toMatchObject([200, { version, properties: { touched }, left_out: [] }]);
        return body;
      });
    expect((await open()).status).toBe(201);
    expect((await ask('owner', 'acme', `${at}/touch`, {})).status).toBe(200);
    const { version } = (await ask('reader', 'acme', at)).body as { version: number };
    expect(await shows(1, version)).toMatchObject({ state: 'Open', event: 'touch', until_time: null });
    const first = await shows(0, version - 1);
    expect(first).toMatchObject({ state: 'Open', event: 'open', outcome: 'success' });
    expect(first['until_time']).not.toBeNull();
    expect(await asOf(version + 1)).toMatchObject({ status: 404, body: { code: 'no_version' } });
    for (const beyond of [2 ** 31 - 1, 2 ** 31, 8_083_126_188_510])
      expect(await asOf(beyond)).toMatchObject({ status: 404, body: { code: 'no_version' } });
    expect(await asOf('x')).toMatchObject({ status: 400 });
    expect(await ask('reader', 'acme', `${vaults}/never/as-of/1`)).toMatchObject({
      status: 404,
      body: { code: 'absent' },
    });
    expect(await ask('reader', 'rival', `${at}/as-of/1`)).toMatchObject({ status: 404, body: { code: 'absent' } });

    expect((await ask('operator', 'acme', `${at}/remove`, {})).status).toBe(200);
    await shows(1, version);
    expect((await open()).status).toBe(201);
    await until(async () => expect((await asOf(1)).body['life']).not.toBe(first['life']));
    const life = encodeURIComponent(String(first['life']));
    expect(await asOf(version, `?life=${life}`)).toMatchObject({ status: 200, body: { properties: { touched: 1 } } });
    expect((await ask('reader', 'rival', `${at}/as-of/1?life=${life}`)).status).toBe(404);
    const { body } = await ask('reader', 'acme', "/api/transitions?$filter=action_name eq 'touch'");
    const tags = (body['value'] as { '@reeve.version': string }[]).map((each) => each['@reeve.version']);
    expect(tags).toContain(`${String(first['life'])}.${version}`);
  });
});

describe('many events as one request (S6.1)', () => {
  const on = (entity: string, event = 'touch', more: object = {}) => ({ entity, event, ...more });
  const raise = (role: string, tenant: string, events: readonly object[], key?: string) =>
    ask(role, tenant, '/api/raise', { events }, key === undefined ? {} : { 'idempotency-key': key });
  const touched = async (key: string) =>
    ((await ask('reader', '*', `/api/bank/v1/Vault/${key}`)).body as { properties: { touched: number } }).properties
      .touched;

  it('reports on each what it alone would be answered, and a repeat raises nothing twice', async () => {
    for (const key of ['many-1', 'many-2'])
      expect((await ask('owner', 'acme', '/api/bank/v1/Vault', { key, event: 'open' })).status).toBe(201);
    const events = [
      on('Vault/many-1'),
      on('Vault/many-2', 'touch', { if_match: '"another.1"' }),
      on('Vault/rival-3'),
      on('Vault/none'),
      on('Vault/acme-1', 'no_event'),
      on('Vault/acme-2', 'touch', { parameters: { nobody: 'takes this' } }),
      on('Valut/many-1'),
    ];
    const { status, body } = await raise('owner', 'acme', events, 'a-key');
    expect(status).toBe(200);
    expect(body).toMatchObject({ idempotency_key: 'a-key', accepted: 1, rejected: 6, unknown: 0 });
    const items = body['items'] as Record<string, unknown>[];
    expect(items.map(({ entity }) => entity)).toEqual(events.map(({ entity }) => entity));
    expect(items[0]).toMatchObject({ status: 200, operation: { outcome: 'success' }, problem: null });
    expect(items[0]!['operation_location']).toMatch(/^\/api\/operations\/a-key~/);
    expect(items.slice(1).map((item) => [item['status'], (item['problem'] as { code: string }).code])).toEqual([
      [412, 'version_conflict'],
      [404, 'absent'],
      [404, 'absent'],
      [404, 'unknown_event'],
      [400, 'invalid_parameters'],
      [404, 'unknown_type'],
    ]);
    expect(items[6]).toMatchObject({ problem: { detail: expect.stringContaining("'Vault'") } });

    const again = await raise('owner', 'acme', events.slice(0, 1), 'a-key');
    const [first] = again.body['items'] as Record<string, unknown>[];
    expect(first!['operation']).toMatchObject({
      request_id: (items[0]!['operation'] as { request_id: string }).request_id,
    });
    expect(await touched('many-1')).toBe(1);
    // The event alone, under the same key, is the same request.
    await ask('owner', 'acme', '/api/bank/v1/Vault/many-1/touch', {}, { 'idempotency-key': 'a-key' });
    expect(await touched('many-1')).toBe(1);
    // Without a key, the report says which one it has made.
    const unnamed = await raise('owner', 'acme', [on('Vault/many-1'), on('Vault/many-2')]);
    expect(unnamed.body).toMatchObject({
      accepted: 2,
      rejected: 0,
      idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('takes the role of each event, and refuses a list that is not right as a whole', async () => {
    const { body } = await raise('reader', 'acme', [on('Vault/many-1')]);
    expect(body).toMatchObject({ accepted: 0, items: [{ status: 403, problem: { code: 'not_allowed' } }] });
    const wrong = [
      [],
      [on('Vault/many-1'), on('Vault/many-1')],
      [on('Vault/many-1', 'retry-action')],
      [on('Vault/..', 'Vault')],
      Array.from({ length: 501 }, (_, index) => on(`Vault/number-${index}`)),
    ];
    for (const events of wrong) {
      expect(await raise('owner', 'acme', events)).toMatchObject({ status: 400, body: { code: 'invalid_parameters' } });
    }
    expect(await touched('many-1')).toBe(2);
  });
});
