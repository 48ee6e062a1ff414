import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_TENANTS } from '../../src/protocol/actor.js';
import { parseInstanceName } from '../../src/protocol/distributed-names.js';
import type { Access } from '../../src/service/access.js';
import { createApplication } from '../../src/service/application.js';
import type { AuditEntry } from '../../src/service/audit-trail.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { startFarmService, type FarmService } from '../support/farm-service.js';
import type { Farm } from '../support/harvest.js';
import { ask, type Asked } from '../support/management.js';
import { until } from '../support/until.js';

const audited: AuditEntry[] = [];
let service: FarmService;
let farm: Farm;
let api: RunningService;
let guarded: RunningService;

beforeAll(async () => {
  service = await startFarmService(8);
  ({ farm } = service);
  const common = { reeve: service.reeve, modules: [], log: pino({ level: 'silent' }) };
  const settings = { answerMs: 20_000, lookMs: [20, 100] } as const;
  api = await startService(createApplication({ ...common, settings }));
  guarded = await startService(
    createApplication({
      ...common,
      settings,
      audit: { record: (entry) => void audited.push(entry) },
      // Anyone who asks says so: `farmer` for all tenants, `farmer@acme` for one.
      authenticator: {
        async authenticate({ headers }) {
          const [role = '', tenant = ALL_TENANTS] = headers.get('x-who')!.split('@');
          return { actor: { subject: role, tenant, roles: [role] }, until: Infinity };
        },
      },
    }),
  );
});
afterAll(async () => {
  await api.stop();
  await guarded.stop();
  await service.close();
});

const PATH = '/api/distributed';
const TARGET = 'farms/west';
const get = (path = '') => ask(api, 'GET', `${PATH}${path}`);
const post = (path: string, json: unknown, more: Asked = {}) => ask(api, 'POST', `${PATH}${path}`, { json, ...more });
const at = (name: unknown) => `/${encodeURIComponent(String(name))}`;

async function start(argument: unknown, more: object = {}): Promise<string> {
  const { status, headers, body } = await post('', { type: 'sow', target: TARGET, argument, ...more });
  expect(body).toMatchObject({ target: TARGET, type: 'sow', instance: expect.any(Number) });
  expect(status).toBe(202);
  expect(headers.get('retry-after')).toBe('1');
  expect(headers.get('location')).toBe(`${PATH}${at(body['name'])}`);
  return String(body['name']);
}

describe('the API for operations over partitions', () => {
  it('starts, reads, follows and lists them (I3, I8, S6.1)', async () => {
    const name = await start({ crop: 'rye' });
    const response = await fetch(`${api.url}${PATH}${at(name)}/change-stream`);
    const told = await response.text();
    const last = told.trim().split('\n\n').at(-1)!;
    expect(last).toContain('event: end');
    const end = JSON.parse(/^data: (.*)$/m.exec(last)![1]!) as object;
    const { body } = await get(at(name));
    const ended = {
      ...{ name, target: TARGET, type: 'sow', object: 'rye', state: 'ended', outcome: 'succeeded', done: 1 },
      jobs: { all: 8, succeeded: 8, failed: 0, running: 0 },
    };
    expect(body).toMatchObject(ended);
    expect(end).toMatchObject(ended);
    await until(async () => {
      const { body: listed } = await get(`?target=${encodeURIComponent(TARGET)}`);
      expect(listed['value']).toContainEqual(
        expect.objectContaining({ name, state: 'ended', outcome: 'succeeded', instance: 1 }),
      );
    });
    expect((await get('?target=nowhere')).body).toEqual({ value: [] });
    for (const token of ['0', 'nonsense', 'bm9uc2Vuc2U.bm9u']) {
      expect(await get(`?token=${token}`)).toMatchObject({ status: 400, body: { code: 'unknown_page' } });
    }

    const lastId = /^id: (.*)$/m.exec(last)![1]!;
    const again = await fetch(`${api.url}${PATH}${at(name)}/change-stream`, { headers: { 'last-event-id': lastId } });
    expect(again.status).toBe(204);
  });

  it('pauses, limits, resumes and cancels them (I5)', async () => {
    farm.rowMs = 100;
    const name = await start({ crop: 'oats', rows: 10_000 }, { partitions: '0-3', at_once: 2 });
    expect((await post(`${at(name)}/pause`, undefined)).body).toMatchObject({ state: 'paused', at_once: 2 });
    expect((await post(`${at(name)}/limit`, { at_once: 3 })).body).toMatchObject({ state: 'paused', at_once: 3 });
    expect((await post(`${at(name)}/resume`, undefined)).body).toMatchObject({ state: 'running', jobs: { all: 4 } });
    const cancelled = await post(`${at(name)}/cancel`, { reason: 'it rains' });
    expect(cancelled.status).toBe(200);
    await until(async () => {
      const { body } = await get(at(name));
      expect(body).toMatchObject({ state: 'ended', outcome: 'cancelled', reason: 'it rains' });
    });
    expect((await post(`${at(name)}/pause`, {})).status).toBeGreaterThanOrEqual(400);
    farm.rowMs = 0;
  });

  it('gives the first answer to the same request (S2.5)', async () => {
    const headers = { 'idempotency-key': 'spring' };
    const request = { type: 'sow', target: TARGET, argument: { crop: 'wheat' } };
    const first = await post('', request, { headers });
    const second = await post('', request, { headers });
    const { outcome: _, ...same } = first.body;
    expect(second.body).toMatchObject(same);
    await service.reeve.distributed.result(first.body as never);
  });

  it('says what is wrong with a start, and what is in the way (I4, I8)', async () => {
    const refused = async (json: object) => {
      const { status, body } = await post('', { type: 'sow', target: TARGET, argument: { crop: 'corn' }, ...json });
      const { code, detail, running } = body;
      return [status, code, detail, ...(running === undefined ? [] : [running])];
    };
    expect((await refused({ type: 'mow' }))[0]).toBe(400);
    expect(await refused({ argument: { crop: 7 } })).toMatchObject([
      400,
      'invalid_argument',
      expect.stringMatching('crop'),
    ]);
    // Each is told at the member of the body that is wrong.
    for (const [path, wrong] of [
      ['argument.crop', { argument: { crop: 7 } }],
      ['target', { target: 'nowhere' }],
      ['partitions', { partitions: '3,99' }],
    ] as const) {
      const { body } = await post('', { type: 'sow', target: TARGET, argument: { crop: 'corn' }, ...wrong });
      expect(body['issues']).toMatchObject([{ path }]);
    }
    expect(await refused({ target: 'nowhere' })).toMatchObject([
      404,
      'unknown_target',
      expect.stringMatching('nowhere'),
    ]);
    expect(await refused({ partitions: '3,99' })).toMatchObject([
      400,
      'unknown_partition',
      expect.stringMatching('99'),
    ]);
    expect(await refused({ partitions: '0-99999999999' })).toMatchObject([
      400,
      'unknown_partition',
      expect.any(String),
    ]);
    expect(await refused({ partitions: 'all' })).toMatchObject([
      400,
      'unknown_partition',
      expect.stringMatching('all'),
    ]);
    expect((await refused({ at_once: 0 }))[0]).toBe(400);
    farm.rowMs = 100;
    const name = await start({ crop: 'barley', rows: 10_000 });
    const instance = Number(name.split('/').at(-1));
    expect(await refused({ argument: { crop: 'barley' } })).toMatchObject([
      ...[409, 'incompatible_operation', expect.any(String)],
      { type: 'sow', object: 'barley', instance },
    ]);
    expect((await post(`${at(name)}/limit`, {})).status).toBe(400);
    await post(`${at(name)}/cancel`, {});
    farm.rowMs = 0;
    await until(async () => expect((await get(at(name))).body['state']).toBe('ended'));
  });

  it('answers a start as other operations are, which are read, followed and cancelled by its id (S4.7, S6.1, I8)', async () => {
    farm.rowMs = 100;
    const sent = { type: 'sow', target: TARGET, argument: { crop: 'beans', rows: 10_000 } };
    const { headers, body } = await post('', sent, { headers: { 'idempotency-key': 'beans' } });
    const path = headers.get('operation-location')!;
    expect(path).toBe(
      `/api/operations/${encodeURIComponent(String(body['request_id']))}?on=${encodeURIComponent(`distributed/${TARGET}`)}`,
    );
    const running = { outcome: 'running', name: `sow distributed/${TARGET}`, request_id: body['request_id'] };
    const instance = `distributed/${String(body['name'])}`;
    for (const address of [path, path.split('?')[0]!, '/api/operations/beans'])
      expect(await ask(api, 'GET', address)).toMatchObject({
        ...{ status: 200, body: { ...running, participants: [{ entity: instance, state: 'running' }] } },
      });
    const follows = await fetch(`${api.url}${path.replace('?', '/change-stream?')}`);
    const cancelled = await ask(api, 'POST', path.replace('?', '/cancel?'), {});
    expect(cancelled.status).toBe(202);
    expect(await follows.text()).toMatch(/event: end\n[^]*"outcome":"canceled"/);
    expect(await ask(api, 'GET', path)).toMatchObject({ body: { outcome: 'canceled' } });
    expect(await ask(api, 'POST', path.replace('?', '/cancel?'), {})).toMatchObject({ status: 409 });
    farm.rowMs = 0;
  });

  it('waits for the end where the caller prefers that (S4.7, S6.1)', async () => {
    const sent = { type: 'sow', target: TARGET, argument: { crop: 'lentils' } };
    const waited = await post('', sent, { headers: { prefer: 'wait=20' } });
    expect(waited).toMatchObject({ status: 200, body: { outcome: 'success', reason: null } });
    expect(waited.headers.get('preference-applied')).toBe('wait=20');
    farm.rowMs = 100;
    const longer = { ...sent, argument: { crop: 'clover', rows: 10_000 } };
    const late = await post('', longer, { headers: { prefer: 'wait=0' } });
    expect(late).toMatchObject({ status: 202, body: { outcome: 'running' } });
    await post(`${at(late.body['name'])}/cancel`, {});
    farm.rowMs = 0;
  });

  it('retries a job, and refuses what has nothing to retry (I5, S2.5, S6.1)', async () => {
    farm.stuck.set(2, 1);
    farm.postponed.set(2, 'The tractor is in the workshop.');
    farm.rowMs = 100;
    const name = await start({ crop: 'millet', rows: 10_000 }, { at_once: 8 });
    const retry = (partition: unknown, more: Asked = {}) =>
      post(`${at(name)}/jobs/${String(partition)}/retry`, undefined, more);
    await until(async () => {
      expect((await get(at(name))).body['troubles']).toMatchObject([
        { partition: 2, attempts: 1, message: 'The tractor is in the workshop.' },
      ]);
    });
    const attempts = () => farm.begun.filter(({ partition }) => partition === 2).length;
    const before = attempts();
    const sent = { headers: { 'idempotency-key': 'again' } };
    const retried = await retry(2, sent);
    const { request_id: id } = retried.body;
    expect(retried).toMatchObject({ status: 202, body: { name, state: 'running' } });
    expect(retried.headers.get('operation-location')).toBe(
      `/api/operations/${encodeURIComponent(String(id))}?on=${encodeURIComponent(`distributed/${TARGET}`)}`,
    );
    expect(retried.headers.get('retry-after')).toBe('1');
    expect(await ask(api, 'GET', retried.headers.get('operation-location')!)).toMatchObject({ status: 200 });
    await until(async () => expect(attempts()).toBeGreaterThan(before));
    expect(await retry(2, sent)).toMatchObject({ status: 202 });
    expect(await retry(3, sent)).toMatchObject({ status: 422, body: { code: 'request_conflict' } });
    expect(await retry(3)).toMatchObject({ status: 409, body: { code: 'job_running' } });
    expect(await retry(99)).toMatchObject({ status: 400, body: { code: 'unknown_partition' } });
    expect(await retry('all')).toMatchObject({ status: 400 });
    const move = (partition: number, json: unknown) => post(`${at(name)}/jobs/${partition}/move`, json);
    expect(await move(3, { place: 'mars' })).toMatchObject({ status: 400, body: { code: 'unknown_place' } });
    expect(await move(3, { place: 'west' })).toMatchObject({ status: 409, body: { code: 'already_there' } });
    expect(await move(3, {})).toMatchObject({ status: 400 });
    await post(`${at(name)}/cancel`, {});
    farm.rowMs = 0;
    farm.postponed.clear();
    await until(async () => expect((await get(at(name))).body['state']).toBe('ended'));
    expect((await retry(3)).status).toBeGreaterThanOrEqual(404);
  });

  it('shows the lock for which a job waits, and who holds it (I5)', async () => {
    farm.gates.set(1, 4711);
    farm.held = true;
    const name = await start({ crop: 'flax' }, { partitions: '1' });
    await until(async () => {
      const { body } = await get(at(name));
      expect(body['blocked']).toEqual([
        {
          ...{ kind: 'lock', partitions: '1', place: 'west', message: 'The gate is locked.', pids: [4711] },
          since_time: expect.any(String) as string,
        },
      ]);
    });
    // The list of what needs a person asks Temporal alone. S5.4
    const locks = () => service.reeve.distributed.locks(parseInstanceName(name));
    expect(await locks()).toMatchObject([{ kind: 'lock', partitions: '1', pids: [4711] }]);
    farm.gates.clear();
    farm.held = false;
    await until(async () => expect((await get(at(name))).body).toMatchObject({ state: 'ended', blocked: [] }));
    expect(await locks()).toEqual([]);
    expect(await service.reeve.distributed.locks({ target: TARGET, type: 'sow', instance: 999 })).toEqual([]);
  });

  it('answers 404 for what does not exist', async () => {
    for (const name of [`${TARGET}/sow/999`, 'nonsense', `${TARGET}/mow/1`])
      expect(await get(at(name))).toMatchObject({ status: 404, body: { code: 'absent' } });
  });

  it('lets only those do something who have a role, for all tenants (S6.5)', async () => {
    const name = await start({ crop: 'hops' });
    const as = async (who: string, method: string, path: string, json?: unknown) => {
      const asked = { headers: { 'x-who': who }, ...(json !== undefined && { json }) };
      return (await ask(guarded, method, `${PATH}${path}`, asked)).status;
    };
    const follows = async (who: string) => {
      const response = await fetch(`${guarded.url}${PATH}${at(name)}/change-stream`, { headers: { 'x-who': who } });
      await response.body?.cancel();
      return response.status;
    };
    /** Reads what the stream about many things tells first of it. */
    const watches = async (who: string) => {
      const response = await fetch(`${guarded.url}/api/watch?of=${encodeURIComponent(`distributed/${name}`)}`, {
        headers: { 'x-who': who },
      });
      if (!response.ok) return response.status;
      let text = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const [, data] = /^data: (.*)$/m.exec(text) ?? [];
        if (data === undefined) continue;
        const told = JSON.parse(data) as { of: string; data?: object; problem?: { status: number } };
        expect(told.of).toBe(`distributed/${name}`);
        return told.problem?.status ?? (told.data as { name?: string }).name;
      }
      throw new Error('The stream has ended.');
    };
    // A type that may be started is told with what it takes.
    const rights = async (who: string) => {
      const { body } = await ask(guarded, 'GET', '/api/me', { headers: { 'x-who': who } });
      return (body['distributed'] as readonly { readonly type: string }[]).find(({ type }) => type === 'sow');
    };
    const argument = { properties: { crop: { type: 'string' } }, required: ['crop'] };
    expect(await rights('farmer')).toMatchObject({ start: true, argument });
    expect(await rights('visitor')).toEqual({ type: 'sow', read: true, start: false, operate: false });
    for (const who of ['farmer', 'visitor', 'stranger', 'operator', 'farmer@acme']) {
      const reads = who === 'farmer' || who === 'visitor' ? 200 : 403;
      expect([who, await as(who, 'GET', at(name))]).toEqual([who, reads]);
      expect([who, await follows(who)]).toEqual([who, reads]);
      expect([who, await watches(who)]).toEqual([who, reads === 200 ? name : 403]);
      const lists = who === 'operator' ? 200 : reads;
      expect([who, await as(who, 'GET', '')]).toEqual([who, lists]);
      if (who === 'farmer') continue;
      const calls = [
        ...(['pause', 'resume', 'cancel', 'proceed'] as const).map((call) => [`${at(name)}/${call}`, {}] as const),
        [`${at(name)}/limit`, { at_once: 1 }] as const,
        [`${at(name)}/jobs/1/retry`, undefined] as const,
        [`${at(name)}/jobs/1/move`, { place: 'west' }] as const,
        ['', { type: 'sow', target: TARGET, argument: { crop: 'hemp' } }] as const,
      ];
      for (const [path, json] of calls)
        expect([who, path, await as(who, 'POST', path, json)]).toEqual([who, path, 403]);
    }
    // Of types without roles, operators may read.
    expect(await as('visitor', 'GET', at(`${TARGET}/plough/1`))).toBe(403);
    expect(await as('operator', 'GET', at(`${TARGET}/plough/1`))).toBe(404);
    expect(audited).toContainEqual(
      expect.objectContaining({
        decision: 'denied',
        access: expect.objectContaining({ action: 'pause', entity: { type: 'distributed', key: name } }),
      }),
    );
    const entriesOf = (target: string) =>
      audited
        .filter(
          ({ access }) => access.action === 'start' && 'entity' in access && access.entity?.key === `${target}/sow`,
        )
        .map(({ decision, reason }) => [decision, reason])
        .filter(([decision]) => decision === 'allowed');
    expect(await as('farmer', 'POST', '', { type: 'sow', target: TARGET, argument: { crop: 'hemp' } })).toBe(202);
    expect(entriesOf(TARGET)).toEqual([['allowed', undefined]]);
    // A start that was refused does not look like one that took effect.
    expect(await as('farmer', 'POST', '', { type: 'sow', target: 'nowhere', argument: { crop: 'hemp' } })).toBe(404);
    expect(entriesOf('nowhere')).toEqual([['allowed', 'It was refused: unknown_target.']]);
    // So with what a person does about one job. A cancel names the operation, whose views tell who has canceled it.
    farm.rowMs = 100;
    const long = await start({ crop: 'vetch', rows: 10_000 });
    await until(async () => expect((await get(at(long))).body['lanes']).not.toEqual([]));
    const reasonsOf = (action: string) =>
      audited
        .filter(({ access }) => access.action === action && 'entity' in access && access.entity?.key === long)
        .map(({ access, reason }) => [(access as Access).operation, reason]);
    expect(await as('farmer', 'POST', `${at(long)}/jobs/99/retry`)).toBe(400);
    expect(reasonsOf('retry')).toEqual([[undefined, 'It was refused: unknown_partition.']]);
    expect(await as('farmer', 'POST', `${at(long)}/jobs/1/move`, { place: 'mars' })).toBe(400);
    expect(reasonsOf('move')).toEqual([[undefined, 'It was refused: unknown_place.']]);
    const { request_id: request } = (await get(at(long))).body;
    expect(await as('farmer', 'POST', `${at(long)}/cancel`, {})).toBe(200);
    expect(reasonsOf('cancel')).toEqual([[request, undefined]]);
    farm.rowMs = 0;
  });

  it('describes them in the OpenAPI document', async () => {
    const { body } = await ask(api, 'GET', '/openapi.json');
    const paths = body['paths'] as Record<string, Record<string, { description: string }>>;
    expect(Object.keys(paths).filter((path) => path.startsWith(PATH))).toHaveLength(10);
    expect(paths[PATH]!['post']!.description).toContain('`sow` requires one of the roles: farmer.');
  });

  it('promises no null for what is sent as text in an address (S6.1)', async () => {
    const { body } = await ask(api, 'GET', '/openapi.json');
    const paths = body['paths'] as Record<string, Record<string, { parameters?: { name: string; schema: unknown }[] }>>;
    const parameters = Object.entries(paths).flatMap(([path, calls]) =>
      Object.values(calls).flatMap((call) => (call.parameters ?? []).map((each) => ({ path, ...each }))),
    );
    expect(parameters.find(({ name }) => name === 'partition')?.schema).toMatchObject({
      ...{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    });
    expect(parameters.filter(({ schema }) => JSON.stringify(schema).includes('"null"'))).toEqual([]);
  });

  it('answers 422 where an idempotency key was used for another start (S2.5, I8)', async () => {
    const more = { headers: { 'idempotency-key': 'sow-once' } };
    const asked = { type: 'sow', target: TARGET, argument: { crop: 'barley' } };
    const first = await post('', asked, more);
    // It may have ended before it is answered.
    expect([200, 202]).toContain(first.status);
    await until(async () => expect((await get(at(first.body['name']))).body).toMatchObject({ state: 'ended' }));
    const again = await post('', asked, more);
    expect(again).toMatchObject({ status: 200, body: { ...first.body, outcome: 'success' } });
    for (const other of [{ argument: { crop: 'peas' } }, { argument: { crop: 7 } }, { at_once: 2 }, { type: 'plough' }])
      expect(await post('', { ...asked, ...other }, more)).toMatchObject({
        status: 422,
        body: { code: 'request_conflict' },
      });
  });
});
