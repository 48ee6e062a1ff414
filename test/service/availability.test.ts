import { request } from 'node:https';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_STORE, type ServiceStore } from '../../src/service/service-store.js';
import type { StoreViews } from '../../src/store/index.js';
import { makeCertificate } from '../support/certificate.js';
import { ask, BOXES, startTestManagement, type TestManagement } from '../support/management.js';
import { until } from '../support/until.js';

let management: TestManagement;
beforeAll(async () => {
  management = await startTestManagement();
});
afterAll(async () => management.close());

const place = (key: string, headers: Readonly<Record<string, string>> = {}) =>
  ask(management.api, 'POST', BOXES, { json: { key, event: 'place', parameters: { label: 'x' } }, headers });

describe('an instance of the service (S6.1)', () => {
  it('is alive, and ready while what it needs answers', async () => {
    let away = false;
    const check = async () => {
      if (away) throw new Error('away');
    };
    const instance = await management.another({ dependencies: [{ name: 'Temporal', check }] });
    expect(await ask(instance, 'GET', '/health/ready')).toMatchObject({ status: 200 });
    away = true;
    expect(await ask(instance, 'GET', '/health/ready')).toMatchObject({
      status: 503,
      body: { code: 'not_ready', detail: 'Temporal does not answer.' },
    });
    expect(await ask(instance, 'GET', '/health/live')).toMatchObject({ status: 200 });
  });

  it('lets requests under way end when it is stopped, and takes no more', async () => {
    const instance = await management.another();
    const gate = management.shelf.hold('last');
    const json = { key: 'last', event: 'place', parameters: { label: 'x' } };
    const underWay = ask(instance, 'POST', BOXES, { json, headers: { prefer: 'wait=20' } });
    await until(async () => expect(management.shelf.keys.get('last')).toHaveLength(1));
    const stopped = instance.stop();
    await until(async () => expect(ask(instance, 'GET', '/health/live')).rejects.toThrow());
    gate.open();
    expect(await underWay).toMatchObject({ status: 201 });
    await stopped;
  });

  it('cancels nothing when a caller that waits goes away', async () => {
    const gate = management.shelf.hold('left');
    const leaving = new AbortController();
    const body = JSON.stringify({ key: 'left', event: 'place', parameters: { label: 'x' } });
    const headers = { 'content-type': 'application/json', prefer: 'wait=20' };
    const asked = fetch(`${management.api.url}${BOXES}`, { method: 'POST', headers, body, signal: leaving.signal });
    await until(async () => expect(management.shelf.keys.get('left')).toHaveLength(1));
    leaving.abort();
    await expect(asked).rejects.toThrow(/abort/);
    gate.open();
    await until(async () =>
      expect(await ask(management.api, 'GET', `${BOXES}/left`)).toMatchObject({ body: { state: 'Placed' } }),
    );
  });

  it('waits no longer than the caller prefers', async () => {
    const gate = management.shelf.hold('patient');
    const taken = await place('patient', { prefer: 'wait=1' });
    expect(taken).toMatchObject({ status: 202, body: { outcome: 'running' } });
    expect(taken.headers.get('preference-applied')).toBe('wait=1');
    gate.open();
  });

  it('speaks HTTPS by setting', async () => {
    const tls = await makeCertificate();
    const { url } = await management.another({}, { tls });
    expect(url).toMatch(/^https:/);
    const ca = await readFile(tls.certFile);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(`${url}/health/live`, { ca }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it('writes a line for each request, with its id, who asked and which operation it opened', async () => {
    const taken = await place('logged', { 'x-request-id': 'my-request', prefer: 'wait=20' });
    expect(taken.headers.get('x-request-id')).toBe('my-request');
    const lines = management.log.filter((line) => line['requestId'] === 'my-request');
    expect(lines).toMatchObject([
      { audit: { access: { action: 'create', entity: { key: 'logged' } }, decision: 'allowed' } },
      { msg: 'request', method: 'POST', path: BOXES, status: 201, subject: 'developer' },
    ]);
    expect(lines[1]!['operation']).toBe(taken.body['request_id']);
  });

  it('is not there for pages of other sites, as long as everybody on this machine may do everything', async () => {
    for (const headers of [{ origin: 'https://elsewhere.example' }, { origin: 'null' }]) {
      expect(await place('foreign', headers)).toMatchObject({ status: 401 });
    }
    expect(await place('own', { origin: management.api.url })).toMatchObject({ status: 202 });
  });
});

// The last, since it leaves nobody to answer.
describe('with no worker up (S5.2, S6.1)', () => {
  it('reads go on from the store and say so, what has ended is read, and the rest says when to come again', async () => {
    const atWork = management.shelf.hold('kept');
    const placed = await place('kept');
    // For so long that a workflow follows it, which tells of it also when nobody answers for the box.
    const { reeve } = management;
    await until(() => reeve.operations.status(String(placed.body['request_id'])));
    atWork.open();
    await until(async () => expect((await reeve.read({ type: 'Box', key: 'kept' })).snapshot.state).toBe('Placed'));
    const { life, version } = (await ask(management.api, 'GET', `${BOXES}/kept`)).body as {
      life: string;
      version: number;
    };
    const at = new Date(3_000);
    const row: StoreViews['entities'] = {
      ...{
        type: 'Box',
        key: 'kept',
        life,
        version,
        schema: 1,
        state: 'Placed',
        health: 'normal',
        settled: true,
        deleted: false,
      },
      ...{
        stuck_since: null,
        need_since: null,
        need: null,
        waits: false,
        operation: null,
        properties: { label: 'x' },
        links: {},
        subordinates: {},
      },
      ...{ created_time: at, state_entry_time: at, reported_time: at, written_time: at },
    };
    const store: ServiceStore = {
      entity: async ({ key }) => (key === 'kept' ? row : undefined),
      entities: () => Promise.resolve([]),
      entityVersion: NO_STORE.entityVersion,
      eventOrigin: NO_STORE.eventOrigin,
      operation: async () => undefined,
      deployment: async () => undefined,
      distributed: async () => undefined,
      listDistributed: async () => [],
      openDistributed: async () => [],
      operationPlace: async () => undefined,
      sentRequests: async () => [],
      noteFirstResponse: async () => undefined,
      list: async () => ({ items: [] }),
      ...{ summary: NO_STORE.summary, countEntities: async () => [], countTransitions: NO_STORE.countTransitions },
    };
    const instance = await management.another({ store, settings: { answerMs: 500 } });
    const gate = management.shelf.hold('stuck');
    await place('stuck');
    gate.open();
    await management.stopWorker();

    const read = await ask(instance, 'GET', `${BOXES}/kept`);
    expect(read).toMatchObject({
      status: 200,
      body: { state: 'Placed', stale: true, reported_time: '1970-01-01T00:00:03.000Z', properties: { label: 'x' } },
    });
    expect(read.headers.get('etag')).toBe(`"${life}.${version}"`);
    const ended = await ask(instance, 'GET', placed.headers.get('operation-location')!);
    expect(ended).toMatchObject({ status: 200, body: { outcome: 'success' } });

    expect(await ask(management.api, 'GET', `${BOXES}/kept`)).toMatchObject({
      status: 503,
      body: { code: 'no_answer' },
    });
    const raised = await ask(instance, 'POST', `${BOXES}/kept/look`);
    expect(raised).toMatchObject({ status: 503, body: { code: 'no_answer' } });
    expect(raised.headers.get('retry-after')).toBe('5');
    expect((await place('later')).status).toBe(202);
  });
});
