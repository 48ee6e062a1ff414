import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, type Application } from '../../src/service/application.js';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import type { Authenticator } from '../../src/service/authentication/authenticator.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { StoreRejections } from '../../src/service/store-rejections.js';
import { serviceStore } from '../../src/service/service-store.js';
import { openStore, type Store } from '../../src/store/index.js';
import { Furnace, Lamp } from '../entities/lamp.js';
import { Cellar, Vault } from '../entities/vault.js';
import { startTestService, type TestService } from '../support/service.js';
import { useServer } from '../store/server.js';
import { callReeve } from '../support/reeve-call.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';
import { rolesAndTenants, type Who } from '../support/who.js';

/*
 * Everybody asks for everything: each role and tenant, each route and event, each entity. What must come is worked out below
 * from a table that knows nothing of the declarations.
 */

const ROLES = ['guest', 'reader', 'owner', 'operator'] as const;
const TENANTS = ['acme', 'rival', '*'] as const;
type Role = (typeof ROLES)[number];
type Tenant = (typeof TENANTS)[number];

const server = useServer();
let store: Store;
let service: TestService;
let application: Application;
/** The same for the command line, which reaches it over HTTP. */
let listening: RunningService;
const audited: AuditEntry[] = [];
/** While a test is about what was rejected: the matrix asks for more than anybody would read. */
let rejections: StoreRejections | undefined;
/** Paths of operations on Vault/acme-1 that have ended. */
const operations: string[] = [];
/** The number of the event that opened each. */
const events: number[] = [];

/** By headers, or as the command line shows who it is: `reader@acme`. */
const authenticator: Authenticator = {
  async authenticate(request) {
    const [, role, tenant] = /^Bearer (\w+)@(.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    if (role === undefined || tenant === undefined) return rolesAndTenants.authenticate(request);
    return { actor: { subject: `${role} of ${tenant}`, tenant, roles: [role] }, until: Infinity };
  },
};

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  readonly headers: Headers;
}

async function ask(method: string, path: string, who?: Who, json?: unknown, more = {}) {
  const headers = {
    ...(who && { 'x-role': who.role, 'x-tenant': who.tenant }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...more,
  };
  const body = json === undefined ? undefined : JSON.stringify(json);
  const request = new Request(`http://127.0.0.1${path}`, { method, headers, ...(body !== undefined && { body }) });
  const response = await application.fetch(request);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await firstEvent(response.body!);
    return { status: response.status, code: undefined, text, headers: response.headers };
  }
  const text = await response.text();
  const problem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const code = problem ? (JSON.parse(text) as { code: string }).code : undefined;
  return { status: response.status, code, text, headers: response.headers } satisfies Answer;
}

/** Reads what a stream tells at first. */
async function firstEvent(body: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += new TextDecoder().decode(chunk);
    if (/^data: /m.test(text) && text.endsWith('\n\n')) break;
  }
  return text;
}

const chief = { role: 'operator', tenant: '*' };
const wait = { prefer: 'wait=20' };

beforeAll(async () => {
  store = openStore({ url: await server.database(), dimensions: ['tenant'] });
  await store.migrate();
  service = await startTestService({
    workflows: 'entities/vault-workflows.ts',
    declarations: ['entities/vault.ts', 'entities/lamp.ts'],
    entities: [Vault, Cellar],
    components: [Lamp, Furnace],
    resources: [new Shelf().resource],
    records: store.writer,
  });
  application = createApplication({
    ...{ reeve: service.reeve, authenticator, log: pino({ level: 'silent' }) },
    store: serviceStore(store),
    modules: [{ name: 'bank', version: 1, entities: [Vault, Cellar] }],
    audit: {
      record: (entry) => {
        audited.push(entry);
        rejections?.record(entry);
      },
    },
    // The matrix asks as often as it can.
    settings: { rates: { caller: [1, 100_000], nobody: [1, 100_000] } },
  });
  const create = async (type: string, body: object, who = chief) => {
    const created = await ask('POST', `/api/bank/v1/${type}`, who, body, wait);
    expect(created.status, created.text).toBe(201);
    return created.headers.get('operation-location')!;
  };
  listening = await startService(application);
  const deploy = async (name: string, component: string, who = chief) =>
    expect((await ask('POST', '/api/deployments', who, { name, component })).status).toBe(201);
  await deploy('acme-1', 'Lamp', { role: 'owner', tenant: 'acme' });
  await deploy('nobody-1', 'Lamp');
  await deploy('cellar-1', 'Furnace');
  operations.push(await create('Vault', { key: 'acme-1', event: 'open' }, { role: 'owner', tenant: 'acme' }));
  await create('Vault', { key: 'nobody-1', event: 'open' });
  await create('Cellar', { key: 'cellar-1' });
  const touched = await ask(
    'POST',
    '/api/bank/v1/Vault/acme-1/touch',
    { role: 'owner', tenant: 'acme' },
    undefined,
    wait,
  );
  expect(touched.status).toBe(200);
  operations.push(touched.headers.get('operation-location')!);
  await until(async () => {
    const { reader } = store;
    expect(
      await reader.selectFrom('operations').select('name').where('outcome', '=', 'success').execute(),
    ).toHaveLength(4);
    expect(await reader.selectFrom('entities').select('key').where('settled', '=', true).execute()).toHaveLength(3);
    expect(await reader.selectFrom('deployments').select('name').where('phase', '=', 'up').execute()).toHaveLength(3);
  });
  for (const operation of operations) {
    const { text } = await ask('GET', `${operation.split('?')[0]}/events`, chief);
    events.push(...(JSON.parse(text) as { value: { event_id: number }[] }).value.map(({ event_id }) => event_id));
  }
});
afterAll(async () => {
  await listening.stop();
  await service.close();
  await store.close();
});

/** The table: who may do what, in words of its own. */
const MAY: Readonly<Record<string, Readonly<Record<string, readonly Role[]>>>> = {
  Vault: {
    read: ['reader', 'owner', 'operator'],
    open: ['owner', 'operator'],
    create: ['owner', 'operator'],
    touch: ['owner', 'operator'],
    unseal: ['owner'],
    store: ['owner'],
    look: ['owner', 'operator'],
    remove: ['operator'],
    operate: ['operator'],
  },
  Lamp: {
    read: ['reader', 'owner', 'operator'],
    deploy: ['owner', 'operator'],
    operate: ['owner', 'operator'],
  },
  Furnace: { read: ['operator'], deploy: ['operator'], operate: ['operator'] },
  Cellar: {
    read: ['operator'],
    create: ['operator'],
    flood: ['operator'],
    drain: ['operator'],
    operate: ['operator'],
  },
};
/** The body to raise each event with, so that one that is let in is answered without leaving the state: it is not valid, or touches. */
const BODIES: Readonly<Record<string, unknown>> = {
  store: { name: 'acme-1' },
  look: { at: 'acme-1' },
  'mark-lost': { successor: 'Vault/none' },
  'extend-callback': { callback: 'none', within: '1d' },
  'revoke-callback': { callback: 'none' },
};
/** Makes a pattern that matches the name of something that is not a tenant's. */
// Anyone who reads the feed is told to operators of all tenants alone, so they see the tenants' names there.
const notFor = (tenant: Tenant, listeners: boolean): RegExp =>
  ({ '*': listeners ? /cellar-1/ : /rival/, acme: /rival|nobody-1|cellar-1/, rival: /acme|nobody-1|cellar-1/ })[tenant];
const OWNERS: Readonly<Record<string, Tenant | undefined>> = {
  'acme-1': 'acme',
  'nobody-1': undefined,
  'missing-1': undefined,
};

interface Cell {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly what: string;
  readonly key?: string;
  readonly operation?: true;
  readonly deployment?: true;
  /** Of what is listed, or of whatever one may read something of, or the audit trail, or what runs of all tenants. */
  readonly list?: 'type' | 'any' | 'audit' | 'all tenants' | 'self';
  readonly body?: unknown;
}

function verdict({ type, what, key, operation, deployment, list }: Cell, role: Role, tenant: Tenant): number | 'in' {
  if (list === 'self') return 'in';
  const may = MAY[type]![what]!.includes(role);
  if (list === 'audit') return role === 'operator' && tenant === '*' ? 'in' : 403;
  if (list !== undefined && !may) return 403;
  if (list === 'all tenants') return tenant === '*' ? 'in' : 403;
  if (operation) {
    if (tenant === 'rival') return 404;
    return may ? 'in' : 403;
  }
  if (deployment && key !== undefined) {
    // Of what component it is, is known once it is found.
    if (key === 'missing-1' || (tenant !== '*' && OWNERS[key] !== tenant)) return 404;
    return may ? 'in' : 403;
  }
  if (type === 'Cellar' && tenant !== '*') return 403;
  if (!may) return 403;
  if (key === undefined) return 'in';
  if (key === 'missing-1') return 404;
  return type === 'Vault' && tenant !== '*' && OWNERS[key] !== tenant ? 404 : 'in';
}

const COUNT = '/$count';

/** Every route that the document has; one that this test does not know fails it. */
async function cells(): Promise<readonly Cell[]> {
  const { paths } = JSON.parse((await ask('GET', '/openapi.json')).text) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const found = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((each) => [each, path]));
  return found.flatMap(([verb = '', path = '']): readonly Cell[] => {
    // Callers who may read a list may count it.
    if (!path.endsWith(COUNT)) return cellsOf(verb, path);
    const counted = cellsOf(verb, path.slice(0, -COUNT.length));
    return counted.map((cell) => ({ ...cell, path: cell.path.replace(/(?=\?|$)/, COUNT) }));
  });

  function cellsOf(verb: string, path: string): readonly Cell[] {
    const method = verb.toUpperCase();
    // The address is the proof, whoever has it: callbacks.test.ts.
    if (path.startsWith('/health/') || path === '/api/callbacks/{token}') return [];
    if (path.startsWith('/api/operations/{id}')) {
      const rest = path.slice('/api/operations/{id}'.length);
      const what = {
        ...{ '': 'read', '/change-stream': 'read', '/explanation': 'read', '/cancel': 'open', '/events': 'read' },
        '/events/{event_id}/transitions': 'read',
        '/workflow_error': 'read',
      }[rest];
      if (what === undefined) throw new Error(`Nobody has said who may ${method} ${path}.`);
      if (rest.startsWith('/events') || rest === '/workflow_error') return collectionsOf(path);
      return operations.map((at) => {
        const [name, query] = at.split('?');
        return { method, path: `${name}${rest}?${query}`, type: 'Vault', what, operation: true };
      });
    }
    const list = method === 'GET' && listAt(path);
    if (list) return [list];
    // Each of its events is decided on by itself: below.
    if (path === '/api/raise') return [{ method, path, type: 'Vault', what: 'read', list: 'self', body: MANY }];
    if (path.startsWith('/api/deployments')) return deploymentCells(method, path);
    if (/^\/api\/(entities|errors|events)\//.test(path)) return collectionsOf(path);
    const [, type = '', rest] = /^\/api\/bank\/v1\/(\w+)(?:\/\{key\}(.*))?$/.exec(path) ?? [];
    if (rest === undefined && method === 'POST') {
      const events = type === 'Vault' ? ['open'] : ['flood'];
      // A key that is not taken would make an entity: the body is right, and its construction is not.
      return events.map((event) => ({ method, path, type, what: event, body: { key: `new-${type}`, event } }));
    }
    const name = rest?.slice(1) ?? '?';
    const what =
      {
        '': 'read',
        'change-stream': 'read',
        'allowed-events': 'read',
        'as-of/{version}': 'read',
        events: 'read',
        current_operation: 'read',
        explanation: 'read',
        'retry-action': 'operate',
        'mark-lost': 'operate',
        'pending-callbacks': 'operate',
        'extend-callback': 'operate',
        'revoke-callback': 'operate',
      }[name] ?? name;
    if (MAY[type]?.[what] === undefined) throw new Error(`Nobody has said who may ${method} ${path}.`);
    if (what === 'remove') return [];
    const keys = type === 'Vault' ? Object.keys(OWNERS) : ['cellar-1', 'missing-1'];
    const body = method === 'POST' ? BODIES[name] : undefined;
    return keys.map((key) => ({
      method,
      // A cellar comes to be without an event, with version 0.
      path: path.replace('{key}', key).replace('{version}', type === 'Vault' ? '1' : '0'),
      type,
      what,
      key,
      body,
    }));
  }
}

/** Lists what is asked of deployments, so that whoever is let in changes nothing. */
function deploymentCells(method: string, path: string): readonly Cell[] {
  const rest = path.slice('/api/deployments'.length);
  if (rest === '') {
    return ['Lamp', 'Furnace'].map((component) => ({
      ...{ method, path, type: component, what: 'deploy', deployment: true, body: { name: 'new-1', component } },
    }));
  }
  const nowhere = { path: 'never/there' };
  const [what, body] =
    {
      '/{name}': ['read'] as const,
      '/{name}/change-stream': ['read'] as const,
      '/{name}/ping': ['operate'] as const,
      '/{name}/terminate': ['operate', nowhere] as const,
      '/{name}/events': ['operate', { ...nowhere, event: 1 }] as const,
      '/{name}/attributes': ['operate', { ...nowhere, name: 'colour', value: 'red' }] as const,
    }[rest] ?? [];
  if (what === undefined) throw new Error(`Nobody has said who may ${method} ${path}.`);
  return Object.entries(DEPLOYED).map(([key, type]) => ({
    ...{ method, path: path.replace('{name}', key), type, what, key, body, deployment: true },
  }));
}

/** The same event on everything that there is, as one request. */
const MANY = {
  events: [
    ...Object.keys(OWNERS).map((key) => ({ entity: `Vault/${key}`, event: 'unseal' })),
    ...['cellar-1', 'missing-1'].map((key) => ({ entity: `Cellar/${key}`, event: 'drain' })),
  ],
};

/** The deployments, by name, each with its component. */
const DEPLOYED: Readonly<Record<string, string>> = {
  ...{ 'acme-1': 'Lamp', 'nobody-1': 'Lamp', 'missing-1': 'Lamp', 'cellar-1': 'Furnace' },
};

/** Finds what is served of the store. Vaults are what everybody may read who may read anything. */
function listAt(path: string): Cell | undefined {
  const [, name] = /^\/api\/bank\/v1\/(\w+)$/.exec(path) ?? [];
  if (name !== undefined) return { method: 'GET', path, type: name, what: 'read', list: 'type' };
  const any = { method: 'GET', path, type: 'Vault', what: 'read' };
  if (path === '/api/audit' || path === '/api/changes/listeners') return { ...any, list: 'audit' };
  if (path === '/api/rollout') return { ...any, list: 'all tenants' };
  if (path === '/api/me') return { ...any, list: 'self' };
  if (path === '/api/watch') return { ...any, path: `${path}?of=summary`, list: 'any' };
  if (path === '/api/operations/summary') return { ...any, path: `${path}?by=name,tenant`, list: 'any' };
  if (/^\/api\/(entities|transitions)\/summary$/.test(path)) return { ...any, list: 'any' };
  return /^\/api(\/bank\/v1)?(\/\$metadata)?$|^\/api\/\w+$/.test(path) ? { ...any, list: 'any' } : undefined;
}

/** Lists what is served beneath a row: of the operations and events of acme, of each vault, and of an error that is not there. */
function collectionsOf(path: string): readonly Cell[] {
  const common = { method: 'GET', type: 'Vault', what: 'read', list: 'any' } as const;
  if (path.startsWith('/api/errors/')) return [{ ...common, path: path.replace('{error_id}', '1'), key: 'missing-1' }];
  if (path.startsWith('/api/entities/')) {
    const keys = Object.keys(OWNERS);
    return keys.map((key) => ({ ...common, path: path.replace('{type}', 'Vault').replace('{key}', key), key }));
  }
  return operations.map((at, index) => {
    const [, id = ''] = /operations\/([^?]+)/.exec(at) ?? [];
    const place = path.replace('{id}', id).replace('{event_id}', String(events[index]));
    return { ...common, path: place, operation: true };
  });
}

describe('everybody asking for everything (S6.5)', () => {
  it('is let in exactly where the table says it, and is told nothing of what belongs to others', async () => {
    const wrong: string[] = [];
    const absent = new Map<string, string>();
    let asked = 0;
    for (const cell of await cells()) {
      const { method, path, body, key } = cell;
      for (const role of ROLES) {
        for (const tenant of TENANTS) {
          if (method === 'POST' && key === undefined && verdict(cell, role, tenant) === 'in' && !cell.operation)
            continue;
          const expected = verdict(cell, role, tenant);
          const { status, code, text, headers } = await ask(method, path, { role, tenant }, body);
          asked++;
          const letIn = ![401, 403, 404, 500].includes(status) && code !== 'key_taken';
          if (expected === 'in' ? !letIn : status !== expected) {
            wrong.push(`${role} of ${tenant}: ${method} ${path}: ${status} ${code ?? ''}, not ${expected}`);
          }
          const tells = cell.list !== undefined || path.includes('/change-stream');
          if (tells && status === 200)
            expect(text, `${role} of ${tenant}: ${path}`).not.toMatch(notFor(tenant, path.endsWith('/listeners')));
          if (status !== 404) continue;
          expect(headers.get('etag'), path).toBeNull();
          const { requestId: _, instance: __, ...told } = JSON.parse(text) as Record<string, unknown>;
          const words = JSON.stringify(told).replaceAll(key ?? '\0', 'KEY');
          const listed = cell.list ?? /\/(events|current_operation|\$count)$/.test(path);
          const kind = cell.operation ? 'operation' : listed ? path.replaceAll(key ?? '', 'KEY') : cell.type;
          const same = absent.get(kind) ?? words;
          absent.set(kind, same);
          if (!cell.operation) expect(words).toBe(same);
        }
      }
      expect((await ask(method, path, undefined, body)).status, `nobody: ${method} ${path}`).toBe(401);
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(300);
  }, 900_000);
});

describe('everybody asking for many at once (S6.5)', () => {
  it('is answered on each as on that one alone', async () => {
    for (const role of ROLES) {
      for (const tenant of TENANTS) {
        const { status, text } = await ask('POST', '/api/raise', { role, tenant }, MANY);
        expect(status, text).toBe(200);
        const { items } = JSON.parse(text) as { items: { entity: string; status: number; problem: object | null }[] };
        expect(items).toHaveLength(MANY.events.length);
        for (const { entity, status: answered, problem } of items) {
          const [type = '', key = ''] = entity.split('/');
          const what = type === 'Vault' ? 'unseal' : 'drain';
          const expected = verdict({ method: 'POST', path: '', type, what, key }, role, tenant);
          const letIn = ![401, 403, 404, 500].includes(answered);
          const said = `${role} of ${tenant}: ${what} ${entity}: ${answered} ${JSON.stringify(problem)}`;
          expect(expected === 'in' ? letIn : answered === expected, said).toBe(true);
          if (answered !== 404) continue;
          const alone = await ask('POST', `/api/bank/v1/${type}/${key}/${what}`, { role, tenant }, {});
          const words = ({ requestId: _, ...told }: Record<string, unknown>) => told;
          expect(words({ ...problem })).toEqual(words(JSON.parse(alone.text) as Record<string, unknown>));
        }
      }
    }
  });
});

describe('everybody at the command line, over HTTP (S6.3, S6.5)', () => {
  interface Command extends Cell {
    readonly words: readonly string[];
  }

  /** Each command that goes to the service, with what it needs by the same table. */
  function commands(): readonly Command[] {
    const cell = { method: '', path: '', type: 'Vault', what: 'read' };
    const ids = operations.map((at) => decodeURIComponent(/operations\/([^?]+)/.exec(at)![1]!));
    const ofEntity = ['Vault/acme-1', 'Vault/nobody-1', 'Vault/missing-1', 'Cellar/cellar-1'].flatMap((entity) => {
      const [type = '', key = ''] = entity.split('/');
      const of = (what: string, ...words: readonly string[]): Command => ({ ...cell, type, key, what, words });
      const event = type === 'Vault' ? 'touch' : 'flood';
      return [
        of('read', 'get', entity),
        of('read', 'explain', entity),
        of('read', 'follow', entity, '--until', type === 'Vault' ? 'Open' : 'Dug'),
        of('operate', 'retry', entity),
        of('operate', 'mark-lost', entity, 'Vault/none'),
        of('operate', 'callbacks', 'list', entity),
        of(event, 'raise', entity, event, '--if-match', 'another.1'),
      ];
    });
    const ofOperation = ids.flatMap((id) => [
      { ...cell, operation: true as const, words: ['operations', 'follow', id] },
      { ...cell, operation: true as const, words: ['operations', 'explain', id] },
      ...[
        ['operations', 'show', id],
        ['events', id],
        ['transitions', id],
      ].map((words): Command => ({ ...cell, operation: true, list: 'any', words })),
      { ...cell, operation: true as const, what: 'open', words: ['operations', 'cancel', id] },
    ]);
    const ofDeployment = Object.entries(DEPLOYED).flatMap(([key, type]) => {
      const of = (what: string, ...words: readonly string[]): Command => ({
        ...{ ...cell, type, key, what, deployment: true, words: ['deployments', ...words] },
      });
      return [
        of('read', 'get', key),
        of('operate', 'ping', key),
        of('operate', 'terminate', key, 'never/there'),
        of('operate', 'set', key, 'colour', 'red', '--path', 'never/there'),
        of('operate', 'send', key, 'never/there', '1'),
      ];
    });
    const lists = [
      ['deployments'],
      ['deployments', 'list', '--running'],
      ['entities'],
      ['operations', 'list'],
      ['operations', 'summary', '--by', 'name,tenant'],
      ['events'],
      ['errors'],
      ['errors', '--exceptions'],
      ['rejections'],
      ['changes', 'list'],
      ['summary'],
    ];
    return [
      ...ofEntity,
      ...ofOperation,
      ...ofDeployment,
      ...lists.map((words): Command => ({ ...cell, list: 'any', words })),
      ...['Vault', 'Cellar'].map((type): Command => ({ ...cell, type, list: 'type', words: ['entities', type] })),
      { ...cell, list: 'audit', words: ['audit'] },
      { ...cell, list: 'audit', words: ['changes', 'listeners'] },
    ];
  }

  /** By the code of the problem. */
  const STATUSES: Readonly<Record<string, number>> = {
    unauthenticated: 401,
    not_allowed: 403,
    absent: 404,
    usage: 404,
  };

  it('is let in exactly where the table says it, and is told nothing of what belongs to others', async () => {
    const wrong: string[] = [];
    for (const command of commands()) {
      const words = [...command.words, '--json'];
      const call = (key?: string) => callReeve(words, { REEVE_API: listening.url, ...(key && { REEVE_API_KEY: key }) });
      for (const role of ROLES) {
        for (const tenant of TENANTS) {
          const { code, stdout, stderr } = await call(`${role}@${tenant}`);
          const refused = code === 0 ? undefined : (JSON.parse(stderr) as { readonly code: string }).code;
          const status = refused === undefined ? 'in' : (STATUSES[refused] ?? 'in');
          // Anything that has ended already is not canceled, and that is told to those who may read it.
          const cancels = command.words[1] === 'cancel' && verdict({ ...command, what: 'read' }, role, tenant) === 'in';
          const expected = verdict(command, role, tenant);
          if (!cancels && status !== expected) {
            wrong.push(`${role} of ${tenant}: ${words.join(' ')}: ${code} ${refused ?? ''}, not ${expected}`);
          }
          expect(stdout, `${role} of ${tenant}: ${words.join(' ')}`).not.toMatch(
            notFor(tenant, words.includes('listeners')),
          );
        }
      }
      expect(JSON.parse((await call()).stderr), words.join(' ')).toMatchObject({ code: 'unauthenticated' });
    }
    expect(wrong).toEqual([]);
  }, 900_000);
});

describe('tenants (S6.5)', () => {
  const acme = { role: 'owner', tenant: 'acme' };
  const rival = { role: 'owner', tenant: 'rival' };
  const vaults = '/api/bank/v1/Vault';
  const open = (key: string, who: typeof acme, more: object = {}) =>
    ask('POST', vaults, who, { key, event: 'open', ...more }, wait);
  const touched = async (key: string) => {
    const { properties } = JSON.parse((await ask('GET', `${vaults}/${key}`, chief)).text) as {
      properties: { touched: number };
    };
    return properties.touched;
  };

  it('list what their entities did, down to each transition (S5.1, S6.2)', async () => {
    const rowsFor = async (who: Who, list: string) =>
      (JSON.parse((await ask('GET', `/api/${list}`, who)).text) as { value: readonly unknown[] }).value;
    for (const list of ['operations', 'events', 'transitions', 'entities', 'transition_rollup']) {
      expect(await rowsFor(acme, list), list).not.toEqual([]);
      expect(await rowsFor(rival, list), list).toEqual([]);
    }
  });

  it('have what they create, and those for all tenants name one', async () => {
    expect((await open('acme-own', acme)).status).toBe(201);
    expect((await open('for-rival', chief, { tenant: 'rival' })).status).toBe(201);
    expect((await ask('GET', `${vaults}/for-rival`, rival)).status).toBe(200);
    expect((await ask('GET', `${vaults}/for-rival`, acme)).status).toBe(404);
    expect((await ask('POST', vaults, acme, { key: 'without' }, wait)).status).toBe(201);
    expect((await ask('GET', `${vaults}/without`, rival)).status).toBe(404);
    expect(await open('not-theirs', acme, { tenant: 'rival' })).toMatchObject({ status: 403, code: 'not_allowed' });
    expect((await ask('GET', `${vaults}/not-theirs`, chief)).status).toBe(404);
    expect((await open('*', chief, { tenant: '*' })).status).toBe(400);
  });

  it('list what was rejected on their own entities, and of others nothing (S2.2)', async () => {
    rejections = new StoreRejections(store.writer, (message) => expect.fail(message));
    try {
      await open('refusing', acme);
      const outdated = { 'if-match': '"another.1"' };
      const touch = (who: Who) => ask('POST', `${vaults}/refusing/touch`, who, undefined, outdated);
      for (const who of [acme, acme, chief]) expect((await touch(who)).status).toBe(412);
      expect((await touch(rival)).status).toBe(404);
      expect((await ask('POST', `${vaults}/nowhere/touch`, rival)).status).toBe(404);
      await rejections.close();
    } finally {
      rejections = undefined;
    }
    const listed = async (who: Who) =>
      (JSON.parse((await ask('GET', '/api/rejections', who)).text) as { value: readonly object[] }).value;
    const of = {
      entity_type: 'Vault',
      entity_key: 'refusing',
      event: 'touch',
      code: 'version_conflict',
      state: 'Open',
    };
    expect(await listed(acme)).toMatchObject([{ ...of, times: 2, tenant: 'acme', request_id: expect.any(String) }]);
    expect(await listed({ role: 'reader', tenant: 'acme' })).toHaveLength(1);
    expect(await listed(rival)).toMatchObject([
      { entity_key: 'nowhere', code: 'absent', tenant: 'rival', state: null },
    ]);
    expect(await listed(chief)).toHaveLength(3);
    expect((await ask('GET', '/api/rejections', { role: 'guest', tenant: 'acme' })).status).toBe(403);
  });

  it('find in the audit trail, and among what was rejected, what a plain signal asked for them (S2.2, S6.5)', async () => {
    await open('signalled', acme);
    const handle = service.environment.client.workflow.getHandle('Vault/signalled');
    const ada = { subject: 'ada', tenant: 'acme', roles: ['owner'] };
    await handle.signal('touch', {}, { request: 'ada-1', actor: ada });
    await handle.signal('touch', {}, { request: 'ada-2', actor: { ...ada, roles: ['reader'] } });
    await handle.signal('touch', {}, { request: 'ada-3', actor: { ...ada, tenant: 'rival' } });
    const decided = await until(async () => {
      const rows = await store.reader
        .selectFrom('audit_trail')
        .select(['action', 'entity_key', 'operation', 'decision'])
        .where('subject', '=', 'ada')
        .orderBy('operation')
        .execute();
      expect(rows).toHaveLength(3);
      return rows;
    });
    const of = { action: 'raise touch', entity_key: 'signalled' };
    expect(decided).toEqual([
      { ...of, operation: 'ada-1', decision: 'allowed' },
      { ...of, operation: 'ada-2', decision: 'denied' },
      { ...of, operation: 'ada-3', decision: 'denied' },
    ]);
    const path = `/api/rejections?$filter=${encodeURIComponent("subject eq 'ada'")}`;
    const listed = async (who: Who) =>
      (JSON.parse((await ask('GET', path, who)).text) as { value: readonly object[] }).value;
    // A rejection is written apart from the decisions.
    await until(async () =>
      expect(await listed(acme)).toMatchObject([{ request_id: 'ada-2', code: 'not_allowed', state: 'Open' }]),
    );
    expect(await listed(rival)).toEqual([]);
  });

  it('learn of a key of others no more than that it is taken', async () => {
    const taken = await open('acme-1', rival);
    expect(taken).toMatchObject({ status: 409, code: 'key_taken' });
    expect(taken.text).not.toContain('Open');
    expect(await ask('POST', vaults, rival, { key: 'acme-1' })).toMatchObject({ status: 409, code: 'key_taken' });
  });

  it("cannot use each other's idempotency keys, and 404 comes before 412 (S2.5)", async () => {
    const headers = { ...wait, 'idempotency-key': 'shared' };
    await open('twin', acme);
    expect((await ask('POST', `${vaults}/twin/touch`, acme, undefined, headers)).status).toBe(200);
    const before = await touched('twin');
    const outdated = { ...headers, 'if-match': '"another.1"' };
    expect((await ask('POST', `${vaults}/twin/touch`, rival, undefined, headers)).status).toBe(404);
    expect((await ask('POST', `${vaults}/twin/touch`, rival, undefined, outdated)).status).toBe(404);
    expect((await ask('POST', `${vaults}/twin/touch`, acme, undefined, { 'if-match': '"another.1"' })).status).toBe(
      412,
    );
    expect(await touched('twin')).toBe(before);
  });

  it('have what their entities create, and their entities neither see nor touch what others have', async () => {
    await open('rival-1', rival);
    const owner = `${vaults}/acme-1`;
    expect((await ask('POST', `${owner}/store`, acme, { name: 'child' }, wait)).status).toBe(200);
    expect((await ask('GET', `${vaults}/child`, acme)).status).toBe(200);
    expect((await ask('GET', `${vaults}/child`, rival)).status).toBe(404);
    await ask('POST', `${owner}/look`, acme, { at: 'child' }, wait);
    expect(await touched('acme-1')).toBe(1);
    await ask('POST', `${owner}/look`, acme, { at: 'rival-1' }, wait);
    expect(await touched('acme-1')).toBe(-1);
    const stored = await ask('POST', `${owner}/store`, acme, { name: 'rival-1' }, wait);
    expect(stored.text).not.toContain('"state":"Filling"');
    const { snapshot } = await service.reeve.read({ type: 'Vault', key: 'acme-1' });
    const successor = snapshot.successors.find(({ key }) => key === 'rival-1');
    expect(successor).toMatchObject({ event: 'rejected', outcome: { rejection: { code: 'another_tenant' } } });
  });

  it('are asked again by the entity, whatever the service has let in', async () => {
    const actor = { subject: 'mallory', tenant: 'rival', roles: ['owner', 'operator'] };
    await expect(service.reeve.raise(Vault, 'acme-1', 'touch', { actor })).rejects.toMatchObject({
      code: 'another_tenant',
    });
    const reader = { ...actor, tenant: 'acme', roles: ['reader'] };
    await expect(service.reeve.raise(Vault, 'acme-1', 'touch', { actor: reader })).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await expect(service.reeve.retry({ type: 'Vault', key: 'acme-1' }, { actor: reader })).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await expect(service.reeve.create(Vault, 'no', 'open', { actor: reader })).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await expect(service.reeve.construct(Vault, 'no', {}, { actor: reader })).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await expect(service.reeve.construct(Cellar, 'no', {}, { actor })).rejects.toMatchObject({
      code: 'another_tenant',
    });
    await expect(service.reeve.read({ type: 'Vault', key: 'no' })).rejects.toMatchObject({ code: 'absent' });
  });

  it('see which events they may raise (S2.6)', async () => {
    const { text } = await ask('GET', `${vaults}/acme-1/allowed-events`, { role: 'reader', tenant: 'acme' });
    const { events } = JSON.parse(text) as { events: readonly { event: string; rejection?: { code: string } }[] };
    expect(events.find(({ event }) => event === 'touch')).toMatchObject({
      allowed: false,
      rejection: { code: 'not_allowed' },
    });
    expect(events.find(({ event }) => event === 'seal')).toMatchObject({
      allowed: false,
      rejection: { code: 'not_public' },
    });
  });

  it('leave nothing of a deleted entity to the next owner of its key', async () => {
    await open('reused', acme);
    const removed = await ask('POST', `${vaults}/reused/remove`, { role: 'operator', tenant: 'acme' }, undefined, wait);
    const operation = removed.headers.get('operation-location')!;
    expect((await ask('GET', `${vaults}/reused`, acme)).status).toBe(410);
    expect((await ask('GET', `${vaults}/reused`, rival)).status).toBe(404);
    expect((await open('reused', rival)).status).toBe(201);
    expect((await ask('GET', `${vaults}/reused`, acme)).status).toBe(404);
    expect((await ask('GET', operation, rival)).status).toBe(404);
  });
});

describe('the one door (S6.5)', () => {
  it('asks who somebody is also at paths that are not there', async () => {
    for (const path of [
      '/metrics',
      '/assets/a/b',
      '/api',
      '/api/nothing',
      '/docs/a/b',
      '/guides',
      '/guide/../api',
      '/guide/%2e%2e/metrics',
      '/health',
      '/health/live/x',
      '//metrics',
    ]) {
      expect((await ask('GET', path)).status, path).toBe(401);
    }
    for (const path of ['/health/live', '/openapi.json', '/docs', '/docs/start.js', '/docs/types.json']) {
      expect((await ask('GET', path)).status, path).toBe(200);
    }
  });
});

describe('the audit trail (S6.5)', () => {
  it('has each decision once: role, tenant, nobody; with the operation that it let in', async () => {
    audited.splice(0);
    const path = '/api/bank/v1/Vault/acme-1/touch';
    await ask('POST', path, { role: 'reader', tenant: 'acme' });
    await ask('POST', path, { role: 'owner', tenant: 'rival' });
    // From an address of its own: the refusals of nobody are counted by address.
    const elsewhere = { incoming: { socket: { remoteAddress: '10.0.0.9' } } };
    await application.fetch(new Request(`http://127.0.0.1${path}`, { method: 'POST' }), elsewhere);
    const let_in = await ask('POST', path, { role: 'owner', tenant: 'acme' }, undefined, wait);
    const operation = decodeURIComponent(/operations\/([^?]+)/.exec(let_in.headers.get('operation-location')!)![1]!);
    const access = { action: 'raise', event: 'touch', entity: { type: 'Vault', key: 'acme-1' } };
    // The requests of nobody before had no address: an entry that counts them may come at any time.
    expect(audited.filter(({ actor, remoteAddress }) => actor ?? remoteAddress)).toMatchObject([
      {
        actor: { subject: 'reader of acme' },
        access,
        decision: 'denied',
        reason: expect.stringContaining('owner, operator'),
      },
      {
        actor: { subject: 'owner of rival', tenant: 'rival' },
        access,
        decision: 'denied',
        reason: expect.stringContaining('another tenant'),
      },
      { actor: undefined, access: { action: `POST ${path}` }, decision: 'denied' },
      { actor: { subject: 'owner of acme' }, access: { ...access, operation }, decision: 'allowed' },
    ]);
  });

  it('has what the entity itself refuses, whatever the service has let in', async () => {
    // A service whose declarations are older, and let everybody in.
    const lax = { ...Vault, roles: { ...Vault.roles, raise: ['reader'], operate: ['reader'] } };
    const trail: AuditEntry[] = [];
    const older = createApplication({
      ...{ reeve: service.reeve, authenticator, log: pino({ level: 'silent' }) },
      modules: [{ name: 'bank', version: 1, entities: [lax] }],
      audit: { record: (entry) => void trail.push(entry) },
    });
    const headers = { 'x-role': 'reader', 'x-tenant': 'acme' };
    for (const call of ['touch', 'retry-action']) {
      const path = `http://127.0.0.1/api/bank/v1/Vault/acme-1/${call}`;
      expect((await older.fetch(new Request(path, { method: 'POST', headers }))).status).toBe(403);
    }
    const operator = { 'x-role': 'operator', 'x-tenant': 'acme' };
    const twice = new Request('http://127.0.0.1/api/bank/v1/Vault/acme-1/remove', {
      method: 'POST',
      headers: operator,
    });
    twice.headers.set('if-match', '"another.1"');
    expect((await older.fetch(twice)).status).toBe(412);
    const entity = { type: 'Vault', key: 'acme-1' };
    const denied = { decision: 'denied', reason: expect.stringContaining('requires one of the roles') };
    expect(trail).toMatchObject([
      { access: { action: 'raise', event: 'touch', entity }, ...denied },
      { access: { action: 'retry', entity }, ...denied },
      {
        access: { action: 'raise', event: 'remove', entity },
        ...{ decision: 'allowed', reason: 'The entity rejected it: version_conflict.' },
      },
    ]);
  });
});
