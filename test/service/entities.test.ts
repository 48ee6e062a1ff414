import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, BOXES, ROOMS, startTestManagement, type Asked, type TestManagement } from '../support/management.js';
import { until } from '../support/until.js';

let management: TestManagement;
beforeAll(async () => {
  management = await startTestManagement();
});
afterAll(async () => management.close());

const get = (path: string, asked?: Asked) => ask(management.api, 'GET', path, asked);
const post = (path: string, json?: unknown, headers: Asked['headers'] = {}) =>
  ask(management.api, 'POST', path, { headers, ...(json !== undefined && { json }) });

const WAIT = { prefer: 'wait=20' };
const place = (key: string, headers: Asked['headers'] = WAIT) =>
  post(BOXES, { key, event: 'place', parameters: { label: 'first' } }, headers);

describe('creating an entity by HTTP (S6.1)', () => {
  it('answers 201 with its place when the caller prefers to wait', async () => {
    const created = await place('one');
    expect(created).toMatchObject({ status: 201, body: { outcome: 'success', name: 'place Box/one' } });
    expect(created.headers.get('preference-applied')).toBe('wait=20');
    const read = await get(created.headers.get('location')!);
    expect(read).toMatchObject({
      status: 200,
      body: { id: 'Box/one', state: 'Placed', settled: true, properties: { label: 'first', place: 3 }, stale: false },
    });
  });

  it('answers 202 at once otherwise, with where the operation is followed and when', async () => {
    const gate = management.shelf.hold('slow');
    const taken = await place('slow', {});
    expect(taken).toMatchObject({ status: 202, body: { outcome: 'running' } });
    expect(taken.headers.get('retry-after')).toBe('1');
    const operation = taken.headers.get('operation-location')!;
    await until(async () => expect((await get(operation)).body['name']).toBe('place Box/slow'));
    expect(await get(`${BOXES}/slow`)).toMatchObject({
      body: { state: 'Placing', settled: false, operation: taken.body['request_id'], running: { action: 'put' } },
    });
    gate.open();
    await until(async () => expect(await get(operation)).toMatchObject({ status: 200, body: { outcome: 'success' } }));
  });

  it('answers with the operation when it has failed in that time, and the entity says why (S5.4)', async () => {
    management.shelf.failures.set('hopeless', 99);
    const failed = await place('hopeless');
    expect(failed).toMatchObject({
      status: 200,
      body: {
        outcome: 'failed',
        participants: [{ entity: 'Box/hopeless', state: 'Lost', health: 'error' }],
        errors: [{ code: 'shelf_full' }],
      },
    });
    const why = { code: 'shelf_full', operation: failed.body['request_id'] };
    expect(await get(`${BOXES}/hopeless`)).toMatchObject({ body: { state: 'Lost', last_failure: why } });
    expect(await get(`${BOXES}/hopeless/explanation`)).toMatchObject({ body: { entities: [{ failure: why }] } });
  });

  it('creates one without an event, and one whose key has any characters', async () => {
    const key = 'a/b.c d%?#ü';
    expect(await post(ROOMS, { key }, WAIT)).toMatchObject({ status: 201 });
    expect(await get(`${ROOMS}/${encodeURIComponent(key)}`)).toMatchObject({
      status: 200,
      body: { key, state: 'Absent' },
    });
    expect(await post(ROOMS, { key })).toMatchObject({ status: 409, body: { code: 'already_exists' } });
  });
});

describe('raising an event by HTTP (S6.1)', () => {
  it('answers 200 when it has settled at once', async () => {
    await place('quick');
    const answered = await post(`${BOXES}/quick/relabel`, { label: 'new' });
    expect(answered).toMatchObject({ status: 200, body: { outcome: 'success', participants: [{ state: 'Placed' }] } });
    const operation = await get(answered.headers.get('operation-location')!);
    expect(operation).toMatchObject({ status: 200, body: { outcome: 'success' } });
    expect((await get(`${BOXES}/quick`)).body['properties']).toMatchObject({ label: 'new' });
  });

  it('gives a declared rejection as a problem with its code, the operation and what is valid now (S2.2)', async () => {
    await place('done');
    const refused = await place('done');
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(refused).toMatchObject({
      status: 409,
      body: {
        type: '/guide/reference/errors/already_done',
        title: 'Already done',
        code: 'already_done',
        instance: BOXES,
        entity: 'Box/done',
        state: 'Placed',
        validNow: ['relabel', 'look', 'break', 'remove'],
      },
    });
    expect(refused.headers.get('x-request-id')).toBe(refused.body['requestId']);
  });

  it('tells an event that waited and was rejected then, when the caller waits for it (S2.3)', async () => {
    const gate = management.shelf.hold('busy');
    await place('busy', {});
    await until(async () => expect(management.shelf.keys.get('busy')).toHaveLength(1));
    const waits = await post(`${BOXES}/busy/relabel`, { label: 'z' });
    expect(waits).toMatchObject({ status: 202, body: { waits_behind: 'put' } });
    expect((await post(`${BOXES}/busy/remove`, {})).status).toBe(202);
    const late = post(`${BOXES}/busy/look`, {}, WAIT);
    await until(async () => expect((await get(`${BOXES}/busy`)).body['waiting']).toHaveLength(3));
    gate.open();
    expect(await late).toMatchObject({ status: 410, body: { code: 'gone' } });
    const operation = waits.headers.get('operation-location')!;
    await until(async () => expect((await get(operation)).body).toMatchObject({ outcome: 'success' }));
  });

  it('lists what is valid now, and why the rest is not (S2.6)', async () => {
    await place('asked');
    const { body } = await get(`${BOXES}/asked/allowed-events`);
    expect(body).toMatchObject({ entity: 'Box/asked', state: 'Placed' });
    expect(body['events']).toEqual(
      expect.arrayContaining([
        { event: 'relabel', allowed: true },
        expect.objectContaining({
          event: 'place',
          allowed: false,
          rejection: expect.objectContaining({ code: 'already_done' }),
        }),
      ]),
    );
  });

  it('says 410 of an entity that was deleted, and how it was; its key can be used again (S1.3)', async () => {
    await place('gone');
    expect(await post(`${BOXES}/gone/remove`, undefined, WAIT)).toMatchObject({
      status: 200,
      body: { outcome: 'success' },
    });
    const read = await until(async () => {
      const answered = await get(`${BOXES}/gone`);
      expect(answered.status).toBe(410);
      return answered;
    });
    expect(read.body).toMatchObject({ code: 'gone', last: { state: 'Deleted', properties: { label: 'first' } } });
    expect(await post(`${BOXES}/gone/remove`)).toMatchObject({ status: 404, body: { code: 'absent' } });
    expect(await place('gone')).toMatchObject({ status: 201 });
  });
});

describe('If-Match (S6.1)', () => {
  it('lets an event pass at that version, and answers 412 at any other, changing nothing', async () => {
    await place('matched');
    const first = (await get(`${BOXES}/matched`)).headers.get('etag')!;
    expect(await post(`${BOXES}/matched/relabel`, { label: 'a' }, { 'if-match': first })).toMatchObject({
      status: 200,
    });
    expect(await post(`${BOXES}/matched/relabel`, { label: 'b' }, { 'if-match': first })).toMatchObject({
      status: 412,
      body: { code: 'version_conflict' },
    });
    const now = await get(`${BOXES}/matched`);
    expect(now.body['properties']).toMatchObject({ label: 'a' });
    expect(now.headers.get('etag')).not.toBe(first);
    expect(await post(`${BOXES}/matched/relabel`, { label: 'c' }, { 'if-match': '*' })).toMatchObject({ status: 200 });
  });

  it('lets one of several at once pass', async () => {
    await place('raced');
    const etag = (await get(`${BOXES}/raced`)).headers.get('etag')!;
    const raised = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((label) => post(`${BOXES}/raced/relabel`, { label }, { 'if-match': etag })),
    );
    expect(raised.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
  });
});

describe('Idempotency-Key (S2.5, S6.1)', () => {
  it('gives the first answer again and runs nothing; 422 with other content', async () => {
    await place('keyed');
    const headers = { 'idempotency-key': 'k-1' };
    const first = await post(`${BOXES}/keyed/relabel`, { label: 'a' }, headers);
    const { version } = (await get(`${BOXES}/keyed`)).body;
    expect(await post(`${BOXES}/keyed/relabel`, { label: 'a' }, headers)).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect((await get(`${BOXES}/keyed`)).body['version']).toBe(version);
    expect(await post(`${BOXES}/keyed/relabel`, { label: 'b' }, headers)).toMatchObject({
      status: 422,
      body: { code: 'request_conflict' },
    });
  });

  it('answers with the operation while the same request is under way, and its outcome afterwards', async () => {
    const gate = management.shelf.hold('in-flight');
    const headers = { 'idempotency-key': 'k-2' };
    const taken = await place('in-flight', headers);
    const again = await place('in-flight', headers);
    expect(again).toMatchObject({
      status: 202,
      body: { outcome: 'running', request_id: taken.body['request_id'] },
    });
    const operation = again.headers.get('operation-location')!;
    expect(operation).toBe(taken.headers.get('operation-location'));
    gate.open();
    await until(async () => expect((await get(operation)).body['outcome']).toBe('success'));
    expect(await place('in-flight', headers)).toMatchObject({ status: 201, body: { outcome: 'success' } });
    expect(management.shelf.keys.get('in-flight')).toHaveLength(1);
  });

  it('is another request on another entity', async () => {
    const headers = { ...WAIT, 'idempotency-key': 'k-3' };
    expect(await place('other-a', headers)).toMatchObject({ status: 201 });
    expect(await place('other-b', headers)).toMatchObject({ status: 201 });
  });

  it('holds on another instance as well (S6.1)', async () => {
    const other = await management.another();
    await place('shared');
    const asked = { headers: { 'idempotency-key': 'k-4' }, json: { label: 'a' } };
    const first = await ask(management.api, 'POST', `${BOXES}/shared/relabel`, asked);
    expect(await ask(other, 'POST', `${BOXES}/shared/relabel`, asked)).toMatchObject({ status: 200, body: first.body });
    expect(await ask(other, 'POST', `${BOXES}/shared/relabel`, { ...asked, json: { label: 'b' } })).toMatchObject({
      status: 422,
    });
  });
});
