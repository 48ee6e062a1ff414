import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { auditTrails } from '../../src/service/audit-trail.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { StoreAuditTrail } from '../../src/service/store-audit-trail.js';
import { StoreRejections } from '../../src/service/store-rejections.js';
import { openStore, type Store } from '../../src/store/index.js';
import { useServer } from '../store/server.js';
import { ask, BOXES, ENTITIES, MODULE, ROOMS } from '../support/management.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

/*
 * Every link leads to an execution that Temporal knows. S5.6
 */
const LINK = '@reeve.execution';
const UI = 'https://ui.example/';
const server = useServer();
const logged: string[] = [];
let store: Store;
let service: TestService;
let api: RunningService;

beforeAll(async () => {
  store = openStore({ url: await server.database(), dimensions: [] });
  await store.migrate();
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: ENTITIES,
    resources: [new Shelf().resource],
    records: store.writer,
  });
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const rejections = new StoreRejections(store.writer, () => undefined);
  const application = createApplication({
    ...{ reeve: service.reeve, modules: [MODULE], log, store: serviceStore(store) },
    audit: auditTrails(new StoreAuditTrail(store.writer, log), rejections),
    execution: (id) => `${UI}${encodeURIComponent(id)}`,
  });
  api = await startService(application);
});
afterAll(async () => {
  await api.stop();
  await service.close();
  await store.close();
});

const headers = (id: string) => ({ 'idempotency-key': id, prefer: 'wait=30' });

async function post(path: string, id: string, json: object): Promise<Readonly<Record<string, unknown>>> {
  return (await ask(api, 'POST', path, { json, headers: headers(id) })).body;
}

/** The workflow to which a link leads. @throws when Temporal does not know it */
async function execution(of: Readonly<Record<string, unknown>>): Promise<string> {
  const link = of[LINK];
  expect(link, JSON.stringify(of)).toEqual(expect.stringContaining(UI));
  const id = decodeURIComponent((link as string).slice(UI.length));
  const { workflowId } = await service.client.workflow.getHandle(id).describe();
  return workflowId;
}

async function rows(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await ask(api, 'GET', path)).body['value'] as readonly Readonly<Record<string, unknown>>[];
}

const operationOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) => String(body['request_id']);

it('a request is found under the key with which it was sent (S2.5, S4.8)', async () => {
  const sent = await post(BOXES, 'r1', { key: 'sent', event: 'place', parameters: { label: 'x' } });
  const id = String(sent['request_id']);
  expect(id).toMatch(/^r1~/);
  const get = (path: string) => ask(api, 'GET', path);
  // As soon as it is answered, at each address.
  expect((await get('/api/operations/r1')).body).toMatchObject({ request_id: id, outcome: 'success' });
  expect(await get('/api/operations/r1/explanation')).toMatchObject({ status: 200 });
  expect(await ask(api, 'POST', '/api/operations/r1/cancel')).toMatchObject({ body: { code: 'already_ended' } });
  expect(await post(`${BOXES}/sent/place`, 'r2', { label: 'y' })).toMatchObject({ code: 'already_done' });
  const counts = {
    "operations/$count?$filter=request_id eq 'r1'": 1,
    "operations/$count?$filter=not (request_id ne 'r1') and outcome eq 'success'": 1,
    "operations/$count?$filter=request_id in ('r1','none')": 1,
    "operations/$count?$filter=request_id eq 'r'": 0,
    "events/$count?$filter=operation/request_id eq 'r1' and request_id eq 'r1'": 1,
    'operations/r1/events/$count': 1,
    "rejections/$count?$filter=request_id eq 'r2'": 1,
    "audit/$count?$filter=operation eq 'r2'": 1,
  };
  await until(async () => {
    for (const [path, count] of Object.entries(counts)) {
      expect(`${path}: ${await (await fetch(`${api.url}/api/${path}`)).text()}`).toBe(`${path}: ${count}`);
    }
  });
  expect(logged.filter((line) => line.includes('"idempotencyKey":"r1"'))).not.toHaveLength(0);
  // The same key for another entity is another request.
  await post(BOXES, 'r1', { key: 'also', event: 'place', parameters: { label: 'x' } });
  expect(await get('/api/operations/r1')).toMatchObject({ status: 409, body: { code: 'ambiguous_operation' } });
  const also = await get('/api/operations/r1?on=Box/also');
  expect(also.body['request_id']).not.toBe(id);
  expect(await get('/api/operations/never')).toMatchObject({ status: 404 });
});

it('links of answers and of all rows lead to executions that exist (S5.6)', async () => {
  const place = { key: 'a', event: 'place', parameters: { label: 'x' } };
  // One that settles in the task that admits it, ones with a call while somebody waits, and one with a workflow.
  const placed = await post(BOXES, 'r-place', place);
  expect(placed).toMatchObject({ outcome: 'success' });
  const looked = await post(`${BOXES}/a/look`, 'r-look', {});
  const labelled = await post(`${BOXES}/a/relabel`, 'r-label', { label: 'y' });
  const broken = await post(`${BOXES}/a/break`, 'r-break', {});
  expect(broken).toMatchObject({ outcome: 'failed', errors: [{ code: 'defect', event: 'break' }] });
  const furnished = await post(ROOMS, 'r-room', { key: 'r', event: 'furnish', parameters: { boxes: ['b', 'c'] } });
  expect(furnished).toMatchObject({ outcome: 'success' });
  for (const answered of [placed, looked, labelled, broken]) expect(await execution(answered)).toBe('Box/a');
  expect(await execution(furnished)).toMatch(/^op\//);
  // Rejections: of an entity that is there, and of one that is not.
  expect(await post(`${BOXES}/a/place`, 'r-again', { label: 'z' })).toMatchObject({
    code: expect.any(String) as string,
  });
  expect(await post(`${BOXES}/nobody/look`, 'r-nobody', {})).toMatchObject({ code: 'absent' });

  const lists = ['operations', 'events', 'transitions', 'calls', 'exceptions', 'entities', 'rejections', 'audit'];
  await until(async () => {
    expect(await rows('/api/operations?$filter=workflow_end_time ne null')).toHaveLength(7);
    expect(await rows('/api/entities?$filter=settled')).toHaveLength(6);
    for (const list of lists) expect(await rows(`/api/${list}`), list).not.toHaveLength(0);
    expect((await rows('/api/transitions?$filter=event_id eq null')).length).toBe(0);
  });
  for (const list of lists) {
    for (const row of await rows(`/api/${list}?$top=100`)) {
      const about = row['entity_key'];
      // Nothing to link to: no entity of that name, and a decision about no entity.
      const isOfNone = about === 'nobody' || (list === 'audit' && about === null);
      if (isOfNone) expect(row).not.toHaveProperty([LINK]);
      else await execution(row);
    }
  }
  // The link is there whatever is selected and however it is reached.
  const named = await rows(
    '/api/operations?$select=name&$expand=events($select=event;$expand=transitions($select=outcome))',
  );
  for (const operation of named) {
    await execution(operation);
    for (const event of operation['events'] as typeof named) {
      await execution(event);
      for (const transition of event['transitions'] as typeof named) await execution(transition);
    }
  }
  // Read one by one: from its workflow or entity, from the store, and as a row.
  for (const operation of await rows('/api/operations')) {
    const path = `/api/operations/${encodeURIComponent(operationOf({ body: operation }))}`;
    expect(await execution((await ask(api, 'GET', path)).body)).toBe(await execution(operation));
    expect(await execution((await ask(api, 'GET', `${path}/explanation`)).body)).toBe(await execution(operation));
  }
  for (const event of await rows('/api/events')) {
    const path = `/api/events/${String(event['event_id'])}`;
    expect(await execution((await ask(api, 'GET', path)).body)).toBe(await execution(event));
    for (const beneath of ['operation', 'transitions', 'entity']) {
      const { body } = await ask(api, 'GET', `${path}/${beneath}`);
      for (const row of (body['value'] as typeof named | undefined) ?? [body]) await execution(row);
    }
  }
  // Where no worker answers, the store tells.
  await service.stopWorker();
  const looking = '/api/operations/' + encodeURIComponent(String(looked['request_id']));
  for (const path of [looking, `${looking}/explanation`]) {
    const { body } = await ask(api, 'GET', path);
    expect(await execution(body)).toBe('Box/a');
  }
  expect((await ask(api, 'GET', looking)).body).toMatchObject({ stale: true });
});
