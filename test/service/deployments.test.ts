import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import { ProblemError } from '../../src/service/problem.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { openStore, type Store } from '../../src/store/index.js';
import { implementResource } from '../../src/temporal/resources.js';
import { Application, Daemon, files, processes } from '../entities/shop.js';
import { useServer } from '../store/server.js';
import { ask, type Asked } from '../support/management.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const server = useServer();
const audited: AuditEntry[] = [];
const done: string[] = [];
let store: Store;
let service: TestService;
let api: RunningService;
let withoutStore: RunningService;
let storeAway: RunningService;

beforeAll(async () => {
  store = openStore({ url: await server.database(), dimensions: [] });
  await store.migrate();
  service = await startTestService({
    workflows: 'entities/shop-workflows.ts',
    declarations: ['entities/shop.ts'],
    entities: [],
    components: [Application, Daemon],
    resources: [
      implementResource(files, {
        copy: async () => ({ bytes: 12 }),
        remove: async ({ file }) => {
          done.push(`remove ${file}`);
          return {};
        },
      }),
      implementResource(processes, {
        start: async () => ({ pid: 7 }),
        alive: async () => true,
        stop: async () => ({}),
      }),
    ],
    records: store.writer,
  });
  const common = { reeve: service.reeve, modules: [], log: pino({ level: 'silent' }) };
  const settings = { answerMs: 20_000, lookMs: [20, 100] } as const;
  const audit = { record: (entry: AuditEntry) => void audited.push(entry) };
  api = await startService(createApplication({ ...common, audit, settings, store: serviceStore(store) }));
  withoutStore = await startService(createApplication({ ...common, settings }));
  const away = {
    ...serviceStore(store),
    list: () => Promise.reject(new ProblemError('store_unavailable', 'The store is unavailable.')),
  };
  storeAway = await startService(createApplication({ ...common, settings, store: away }));
});
afterAll(async () => {
  await api.stop();
  await withoutStore.stop();
  await storeAway.stop();
  await service.close();
  await store.close();
});

const AT = '/api/deployments';
const attributes = { file: '/x', url: 'http://x', commandLine: 'run', time: 3_600_000 };
const post = (path: string, json?: unknown, headers: Asked['headers'] = {}) =>
  ask(api, 'POST', `${AT}${path}`, { headers, ...(json !== undefined && { json }) });
const deploy = (name: string, more: object = {}, headers: Asked['headers'] = {}) =>
  post('', { name, component: 'Application', attributes, ...more }, headers);
const read = (name: string) => ask(api, 'GET', `${AT}/${encodeURIComponent(name)}`);
const isUp = (name: string) =>
  until(async () => {
    const { body } = await read(name);
    expect(JSON.stringify(body['tree'])).toMatch(/"path":"running\/run\/running"[^{]*"phase":"up"/);
  });
const hasEnded = (name: string) =>
  until(async () => {
    const { body } = await read(name);
    expect(body).toMatchObject({ phase: 'ended' });
    return body;
  });

describe('deployments over HTTP (W1, S6.1)', () => {
  it('are deployed, read as a tree, listed, and ended with what the caller says', async () => {
    const created = await deploy('shop');
    expect(created).toMatchObject({ status: 201, body: { name: 'shop', component: 'Application' } });
    expect(created.headers.get('location')).toBe(`${AT}/shop`);
    const { components } = (await ask(api, 'GET', '/api/me')).body as { components: readonly object[] };
    const url = { type: 'string' };
    expect(components).toContainEqual(
      expect.objectContaining({
        ...{ component: 'Application', deploy: true },
        attributes: expect.objectContaining({ properties: expect.objectContaining({ url }) }),
      }),
    );
    await isUp('shop');
    const { status, body } = await read('shop');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ name: 'shop', component: 'Application', tenant: null, subject: 'developer', phase: 'up', end: null },
      ...{ stale: false, detached_from: null },
      tree: { path: '', name: 'shop', kind: 'Application', children: [{ path: 'running', kind: 'Sequence' }] },
    });
    await until(async () => {
      const list = await ask(api, 'GET', `${AT}?$filter=name eq 'shop'`);
      expect(list).toMatchObject({
        status: 200,
        body: {
          value: [{ name: 'shop', component: 'Application', phase: 'up', end_type: null, subject: 'developer' }],
        },
      });
    });
    const told = await post('/shop/terminate', { type: 'abnormal', description: 'the shop closes' });
    expect(told).toMatchObject({ status: 202, body: { name: 'shop', path: '' } });
    const end = { type: 'abnormal', description: 'the shop closes', component: '' };
    expect(await hasEnded('shop')).toMatchObject({ end });
    expect(await post('/shop/terminate', {})).toMatchObject({ status: 200, body: { end } });
    await until(async () => {
      const list = await ask(api, 'GET', `/api/components?$filter=deployment eq 'shop'&$orderby=incarnation`);
      const rows = list.body['value'] as readonly { path: string; phase: string; end_time: string | null }[];
      expect(rows.map(({ path }) => path)).toEqual(expect.arrayContaining(['', 'running', 'running/run/running']));
      expect(rows.filter(({ phase, end_time }) => phase !== 'ended' || end_time === null)).toEqual([]);
    });
  });

  it('are refused with every mistake, its place and a remedy, before anything starts', async () => {
    const wrong = await deploy('wrong', { attributes: { file: 7, colour: 'red', commandLine: 'run' } });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_description' } });
    const issues = wrong.body['issues'] as readonly { path: string; message: string }[];
    expect(issues.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['attributes.colour', 'attributes.file', 'attributes.url']),
    );
    expect(issues.find(({ path }) => path === 'attributes.colour')?.message).toMatch(/Write one of file, url/);
    expect(await deploy('a/b')).toMatchObject({ status: 400, body: { code: 'invalid_name' } });
    expect(await deploy('x', { component: 'Nothing' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameters', issues: [{ path: 'component' }] },
    });
    expect(await deploy('x', { surplus: 1 })).toMatchObject({ status: 400 });
    expect(await read('wrong')).toMatchObject({ status: 404, body: { code: 'absent' } });
  });

  it('are made once by the same key, and not under a name that is taken (S2.5)', async () => {
    const key = { 'idempotency-key': 'k1' };
    expect((await deploy('once', {}, key)).status).toBe(201);
    expect((await deploy('once', {}, key)).status).toBe(200);
    expect(await deploy('once', { attributes: { ...attributes, time: 1 } }, key)).toMatchObject({
      status: 422,
      body: { code: 'request_conflict' },
    });
    expect(await deploy('once')).toMatchObject({ status: 409, body: { code: 'exists' } });
    await isUp('once');
    await post('/once/terminate', {});
    await hasEnded('once');
    expect((await deploy('once', {}, key)).status).toBe(200);
  });

  it('take attributes, events, pings and ends of single components, and say what is gone (W-1, W4)', async () => {
    await deploy('parts');
    await isUp('parts');
    expect((await post('/parts/attributes', { name: 'file', value: '/other' })).status).toBe(202);
    expect((await post('/parts/ping')).status).toBe(202);
    expect((await post('/parts/events', { path: 'running', event: { any: 'thing' } })).status).toBe(202);
    expect(await post('/parts/events', { path: 'running' })).toMatchObject({ status: 400 });
    for (const call of ['terminate', 'events', 'attributes']) {
      const json = {
        path: 'never/there',
        ...(call === 'events' && { event: 1 }),
        ...(call === 'attributes' && { name: 'x' }),
      };
      expect(await post(`/parts/${call}`, json)).toMatchObject({ status: 410, body: { code: 'gone' } });
    }
    expect((await post('/parts/terminate', { path: 'running/run' })).status).toBe(202);
    await hasEnded('parts');
    expect(done).toContain('remove /other');
    expect(await post('/parts/ping')).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(await post('/nobody/ping')).toMatchObject({ status: 404, body: { code: 'absent' } });
  });

  it('are followed by server-sent events to their end', async () => {
    await deploy('followed', { attributes: { ...attributes, time: 300 } });
    const response = await fetch(`${api.url}${AT}/followed/change-stream`);
    const text = await response.text();
    const events = [...text.matchAll(/event: (\w+)/g)].map(([, name]) => name);
    expect(events.at(-1)).toBe('end');
    expect(events.length).toBeGreaterThan(1);
    const ids = [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id!);
    expect(new Set(ids).size).toBe(ids.length);
    const again = await fetch(`${api.url}${AT}/followed/change-stream`, { headers: { 'last-event-id': ids.at(-1)! } });
    expect(again.status).toBe(204);
  });

  it('are watched beside others in one stream (S6.1)', async () => {
    await deploy('watched');
    const response = await fetch(`${api.url}/api/watch?of=deployment/watched&of=deployment/none`);
    const told = new Map<string, unknown>();
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const [, data] = /^data: (.*)$/m.exec(part) ?? [];
        if (data === undefined) continue;
        const { of, ...rest } = JSON.parse(data) as { readonly of: string };
        told.set(of, rest);
      }
      if (JSON.stringify(told.get('deployment/watched'))?.includes('"phase":"up"') && told.size === 2) break;
    }
    expect(told.get('deployment/watched')).toMatchObject({ data: { name: 'watched', stale: false } });
    expect(told.get('deployment/none')).toMatchObject({ problem: { status: 404, code: 'absent' } });
    await post('/watched/terminate', {});
  });

  it('are told from the store while no worker answers, and after their workflows are gone (S5.2)', async () => {
    await deploy('kept');
    await isUp('kept');
    await post('/kept/terminate', { type: 'tired', description: 'enough' });
    await hasEnded('kept');
    await until(async () => {
      const { body } = await ask(api, 'GET', `${AT}?$filter=name eq 'kept' and end_type eq 'tired'`);
      expect(body['value']).toHaveLength(1);
    });
    await service.stopWorker();
    try {
      const stale = await read('kept');
      expect(stale).toMatchObject({
        status: 200,
        body: { stale: true, phase: 'ended', end: { type: 'tired', description: 'enough' } },
      });
      const { tree } = stale.body as { tree: { children: readonly { children: readonly { name: string }[] }[] } };
      expect(tree.children[0]?.children.map(({ name }) => name)).toEqual(expect.arrayContaining(['copy', 'run']));
      expect(await ask(withoutStore, 'GET', `${AT}/kept`)).toMatchObject({ status: 503, body: { code: 'no_answer' } });
    } finally {
      await service.startWorker();
    }
    const { workflowService } = service.environment.client;
    await workflowService.deleteWorkflowExecution({
      ...{ namespace: service.namespace, workflowExecution: { workflowId: 'deployment/kept' } },
    });
    await until(async () => expect(await read('kept')).toMatchObject({ status: 200, body: { stale: true } }));
    expect(await post('/kept/ping')).toMatchObject({ status: 404 });
  });

  it('that run are listed by Temporal while the store is unavailable (S5.2)', async () => {
    await deploy('seen');
    await isUp('seen');
    expect(await ask(withoutStore, 'GET', AT)).toMatchObject({ status: 503, body: { code: 'no_store' } });
    const running = `${AT}?$filter=end_type eq null and component eq 'Application'&$orderby=start_time desc`;
    await until(async () => {
      const { status, body } = await ask(storeAway, 'GET', running);
      expect(status).toBe(200);
      expect(body).toMatchObject({ '@reeve.source': 'temporal', value: [{ name: 'seen', phase: 'up', tenant: null }] });
    });
    expect(await ask(storeAway, 'GET', AT)).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    await post('/seen/terminate', {});
  });

  it('leave each decision in the audit trail, and none of the values (S6.5)', async () => {
    audited.splice(0);
    await deploy('audited');
    await isUp('audited');
    await post('/audited/attributes', { name: 'file', value: 'a secret' });
    await post('/audited/terminate', { description: 'a secret' });
    const entity = { type: 'deployment', key: 'audited' };
    const writes = audited.filter(({ access }) => access.action !== 'read');
    expect(writes).toMatchObject([
      { access: { action: 'deploy', component: 'Application', entity }, decision: 'allowed' },
      { access: { action: 'set', entity }, decision: 'allowed' },
      { access: { action: 'terminate', entity }, decision: 'allowed' },
    ]);
    expect(JSON.stringify(audited)).not.toContain('secret');
  });
});
