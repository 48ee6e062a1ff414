import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, type Application } from '../../src/service/application.js';
import { operationWorkflowId, WAKE_SIGNAL } from '../../src/protocol/names.js';
import { ProblemError } from '../../src/service/problem.js';
import { NO_STORE, type ServiceStore } from '../../src/service/service-store.js';
import { Cellar, Vault } from '../entities/vault.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';
import { rolesAndTenants, type Who } from '../support/who.js';

const VAULTS = '/api/test/v1/Vault';
const chief: Who = { role: 'operator', tenant: '*' };
const acme: Who = { role: 'reader', tenant: 'acme' };
const shelf = new Shelf();
const gate = shelf.hold('acme-slow');
/** The request ids of the operations that run. */
const running: Record<string, string> = {};
let service: TestService;
let application: Application;
/** As the store answers that cannot be reached. */
const away: ServiceStore = {
  ...NO_STORE,
  list: async () => {
    throw storeAway();
  },
  summary: async () => {
    throw storeAway();
  },
};
const storeAway = () => new ProblemError('store_unavailable', 'The store cannot be reached, so nothing can be listed.');

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/vault-workflows.ts',
    declarations: ['entities/vault.ts', 'entities/lamp.ts'],
    entities: [Vault, Cellar],
    resources: [shelf.resource],
  });
  application = createApplication({
    reeve: service.reeve,
    modules: [{ name: 'test', version: 1, entities: [Vault, Cellar] }],
    log: pino({ level: 'silent' }),
    authenticator: rolesAndTenants,
    store: away,
    execution: (id) => `https://ui.example/${encodeURIComponent(id)}`,
  });
  const open = (key: string, tenant: string) => service.reeve.create(Vault, key, 'open', { tenant });
  for (const [key, tenant] of [
    ['acme-1', 'acme'],
    ['acme-2', 'acme'],
    ['rival-1', 'rival'],
  ] as const) {
    await service.reeve.operations.result(await open(key, tenant));
  }
  await service.reeve.operations.result(await service.reeve.raise(Vault, 'acme-2', 'remove'));
  await service.reeve.operations.result(await service.reeve.create(Cellar, 'deep', 'flood'));
  running['acme-slow'] = (await open('acme-slow', 'acme')).requestId;
  // Temporal's lists are a moment behind.
  await until(async () => expect(keys(await list(VAULTS, {}))).toHaveLength(3));
  await until(async () => expect(rows(await list('/api/operations', RUNNING))).toHaveLength(1));
});
afterAll(async () => {
  gate.open();
  await service.close();
});

const RUNNING = { $filter: 'outcome eq null' };

interface Listed {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function list(path: string, options: Readonly<Record<string, string>>, who = chief, more = {}): Promise<Listed> {
  const query = new URLSearchParams(options).toString();
  const headers = { 'x-role': who.role, 'x-tenant': who.tenant, ...more };
  const response = await application.fetch(new Request(`http://127.0.0.1${path}?${query}`, { headers }));
  return { status: response.status, body: (await response.json()) as Listed['body'] };
}

const rows = ({ body }: Listed) => body['value'] as readonly Readonly<Record<string, unknown>>[];
const keys = (listed: Listed) =>
  rows(listed)
    ?.map(({ key }) => key)
    .sort();

describe('a list of entities while the store is unavailable (S5.2)', () => {
  it('comes from Temporal, which knows how they stand, and says so', async () => {
    const listed = await list(VAULTS, { $filter: "key eq 'acme-1'" });
    expect(listed).toMatchObject({ status: 200, body: { '@reeve.source': 'temporal' } });
    expect(rows(listed)).toEqual([
      {
        ...{ type: 'Vault', key: 'acme-1', life: expect.any(String) as string, state: 'Open', health: 'normal' },
        ...{ settled: true, deleted: false, operation: null, tenant: 'acme' },
        '@reeve.execution': 'https://ui.example/Vault%2Facme-1',
      },
    ]);
  });

  it('is filtered by what Temporal knows, and leaves out what is deleted', async () => {
    const cases: Readonly<Record<string, readonly string[]>> = {
      'settled eq true': ['acme-1', 'rival-1'],
      settled: ['acme-1', 'rival-1'],
      'not settled': ['acme-slow'],
      "state eq 'Filling'": ['acme-slow'],
      "state in ('Open','Sealed') and tenant eq 'rival'": ['rival-1'],
      "startswith(key,'acme-')": ['acme-1', 'acme-slow'],
      "tenant eq 'rival' or operation ne null": ['acme-slow', 'rival-1'],
      "'acme-1' eq key": ['acme-1'],
      "key eq 'acme-2'": [],
    };
    for (const [$filter, expected] of Object.entries(cases)) {
      expect(keys(await list(VAULTS, { $filter })), $filter).toEqual(expected);
    }
    expect((await list('/api/entities', {})).body['value']).toHaveLength(4);
    expect(rows(await list(VAULTS, { $filter: "key eq 'acme-1'", $select: 'key,state' }))).toMatchObject([
      { key: 'acme-1', state: 'Open' },
    ]);
  });

  it('shows those of the tenant, and of the types that the role reads (S6.5)', async () => {
    expect(keys(await list(VAULTS, {}, acme))).toEqual(['acme-1', 'acme-slow']);
    expect(keys(await list('/api/entities', {}, acme))).toEqual(['acme-1', 'acme-slow']);
    expect(keys(await list(VAULTS, { $filter: "tenant eq 'rival'" }, acme))).toEqual([]);
    expect((await list('/api/test/v1/Cellar', {}, acme)).status).toBe(403);
    expect((await list(VAULTS, {}, { role: 'guest', tenant: 'acme' })).status).toBe(403);
  });

  it('is paged, and goes on with the page that was begun', async () => {
    const found: unknown[] = [];
    let next: string | undefined = VAULTS;
    for (let pages = 0; next !== undefined && pages < 10; pages++) {
      const url: URL = new URL(next, 'http://127.0.0.1');
      const page: Listed = await list(url.pathname, Object.fromEntries(url.searchParams), chief, {
        prefer: 'maxpagesize=1',
      });
      found.push(...rows(page).map(({ key }) => key));
      next = page.body['@odata.nextLink'] as string | undefined;
    }
    expect(found.sort()).toEqual(['acme-1', 'acme-slow', 'rival-1']);
    expect(rows(await list(VAULTS, { $top: '2' }))).toHaveLength(2);
    expect(await list(VAULTS, { $skiptoken: 'temporal.nonsense' })).toMatchObject({ status: 400 });
  });
});

describe('a list of operations while the store is unavailable (S5.2)', () => {
  it('has those that run, the latest first', async () => {
    for (const $filter of [
      'outcome eq null',
      'workflow_end_time eq null',
      "startswith(name,'open Vault/') and outcome eq null",
    ]) {
      const listed = await list('/api/operations', { $filter, $orderby: 'operation_id desc' });
      expect(listed.body['@reeve.source'], $filter).toBe('temporal');
      expect(rows(listed), $filter).toEqual([
        {
          ...{ request_id: running['acme-slow'], name: 'open Vault/acme-slow', workflow_end_time: null, outcome: null },
          ...{ tenant: 'acme', workflow_start_time: expect.stringMatching(/^\d{4}-.*Z$/) as string },
          '@reeve.execution': `https://ui.example/op%2F${running['acme-slow']}`,
        },
      ]);
    }
    expect(rows(await list('/api/operations', { $filter: "outcome eq 'hung'" }))).toEqual([]);
    const other = { $filter: "outcome eq null and name eq 'open Vault/acme-1'" };
    expect(rows(await list('/api/operations', other))).toEqual([]);
  });

  it('shows when an operation began that has continued as new', async () => {
    const handle = service.client.workflow.getHandle(operationWorkflowId(running['acme-slow']!));
    const first = await handle.describe();
    await handle.signal(WAKE_SIGNAL);
    await until(async () => expect((await handle.describe()).runId).not.toBe(first.runId));
    const next = await handle.describe();
    expect(next.startTime.getTime()).toBeGreaterThanOrEqual(first.startTime.getTime() + 1_000);
    // The list is a moment behind: until it has the new run, it proves nothing.
    await until(async () => {
      expect((await service.client.workflow.count(`RunId = '${next.runId}'`)).count).toBe(1);
    });
    await until(async () => expect(rows(await list('/api/operations', RUNNING))).toHaveLength(1));
    const [row] = rows(await list('/api/operations', RUNNING));
    expect(Date.parse(String(row!['workflow_start_time']))).toBeLessThanOrEqual(first.startTime.getTime());
  });

  it('shows those of the tenant (S6.5)', async () => {
    expect(rows(await list('/api/operations', RUNNING, acme))).toHaveLength(1);
    expect(rows(await list('/api/operations', RUNNING, { ...acme, tenant: 'rival' }))).toEqual([]);
  });
});

describe('the summary of operations while the store is unavailable (A4, S5.2)', () => {
  const summary = (options: Readonly<Record<string, string>> = {}, who = chief) =>
    list('/api/operations/summary', options, who);

  it('counts those that run, by name and tenant, and says that no more is known', async () => {
    const { status, body } = await summary({ by: 'name,tenant' });
    expect({ status, body }).toMatchObject({ status: 200, body: { '@reeve.source': 'temporal' } });
    const known = { total: null, running: 1, waiting: null, hung: 0, finished: null, rescheduled: null, mean_ms: null };
    expect(body['all']).toMatchObject(known);
    expect(body['groups']).toMatchObject([{ group: { name: 'open Vault', tenant: 'acme' }, ...known }]);
    expect(body).not.toHaveProperty('more');
    expect(body).not.toHaveProperty('partial');
  });

  it('is of those that a filter names and that the caller may see (S6.5)', async () => {
    const running = async (options: Readonly<Record<string, string>>, who = chief) =>
      (await summary(options, who)).body['all'] as { readonly running: number };
    expect(await running({ $filter: "startswith(name,'open Vault')" })).toMatchObject({ running: 1 });
    expect(await running({ $filter: "startswith(name,'remove')" })).toMatchObject({ running: 0 });
    expect(await running({ by: '' }, acme)).toMatchObject({ running: 1 });
    expect(await running({}, { ...acme, tenant: 'rival' })).toMatchObject({ running: 0 });
    expect((await summary({}, { role: 'guest', tenant: 'acme' })).status).toBe(403);
  });

  it.each([
    [{ until: '1h' }, 'what ran at another time'],
    [{ $filter: "outcome eq 'failed'" }, 'the outcome of what does not run'],
    [{ $filter: 'restart_count gt 0' }, 'restart_count'],
  ])('guesses nothing that only the store can tell: %j', async (options, unknown) => {
    const { status, body } = await summary(options as unknown as Readonly<Record<string, string>>);
    expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'store_unavailable' });
    expect(body['detail']).toContain(unknown);
  });
});

describe('what only the store can tell (S5.2)', () => {
  it.each([
    ['/api/operations', {}, 'operations that have ended'],
    ['/api/operations', { $filter: "outcome eq 'failed'" }, 'the outcome of what does not run'],
    ['/api/operations', { $filter: "outcome eq null or name eq 'x'" }, 'operations that have ended'],
    ['/api/operations', { ...RUNNING, $select: 'restart_count' }, 'restart_count'],
    ['/api/operations', { ...RUNNING, $expand: 'events' }, '$expand'],
    ['/api/operations', { ...RUNNING, $count: 'true' }, 'how many'],
    ['/api/operations', { ...RUNNING, $orderby: 'name' }, 'that order'],
    ['/api/operations', { $filter: 'outcome eq null and workflow_start_time gt 2026-01-01' }, 'workflow_start_time'],
    [VAULTS, { deleted: 'true' }, 'deleted'],
    [VAULTS, { $filter: 'properties/touched gt 1' }, 'properties/touched'],
    [VAULTS, { $filter: 'version gt 1' }, 'version'],
    ['/api/events', {}, 'state_machine_events'],
  ])('is not guessed: %s %j', async (path, options, unknown) => {
    const { status, body } = await list(path, options as Readonly<Record<string, string>>);
    expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'store_unavailable' });
    expect(body['detail']).toContain(unknown);
  });
});

describe('an answer about what runs (S5.6)', () => {
  it("leads to its workflow in Temporal's UI", async () => {
    const read = await list(`${VAULTS}/acme-1`, {});
    expect(read.body).toMatchObject({ id: 'Vault/acme-1', '@reeve.execution': 'https://ui.example/Vault%2Facme-1' });
    const id = running['acme-slow']!;
    const execution = `https://ui.example/op%2F${id}`;
    expect((await list(`/api/operations/${id}`, {})).body).toMatchObject({ '@reeve.execution': execution });
    expect((await list(`/api/operations/${id}/explanation`, {})).body).toMatchObject({ '@reeve.execution': execution });
  });
});
