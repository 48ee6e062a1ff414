import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { ProblemError } from '../../src/service/problem.js';
import { NO_STORE } from '../../src/service/service-store.js';
import { Berth, Light, Watch } from '../entities/berth.js';
import { startTestService, type TestService } from '../support/service.js';

const ENTITIES = [Berth, Watch, Light];
const BERTHS = '/api/harbour/v1/Berth';
const NORTH = { harbour: 'north, quay 2', side: 'left', number: 7 };
const NORTH_TEXT = 'north~1 quay 2,left,7';

let service: TestService;
let ask: (method: string, path: string, json?: unknown) => Promise<Answered>;

interface Answered {
  readonly status: number;
  readonly location: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/berth-workflows.ts',
    declarations: ['entities/berth.ts'],
    entities: ENTITIES,
    resources: [],
  });
  const application = createApplication({
    reeve: service.reeve,
    modules: [{ name: 'harbour', version: 1, entities: ENTITIES }],
    log: pino({ level: 'silent' }),
    store: {
      ...NO_STORE,
      list: async () => {
        throw new ProblemError('store_unavailable', 'The store cannot be reached, so nothing can be listed.');
      },
    },
  });
  ask = async (method, path, json) => {
    const headers = { 'content-type': 'application/json', prefer: 'wait=20' };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const response = await application.fetch(new Request(`http://127.0.0.1${path}`, { method, headers, ...body }));
    const location = response.headers.get('location');
    return { status: response.status, location, body: (await response.json()) as Answered['body'] };
  };
});
afterAll(async () => service.close());

const creation = (key: unknown) => ({ key, event: 'open', parameters: {} });

describe('an entity whose key has several parts, over HTTP (S6.1)', () => {
  it('is created by its parts, and is at its text and at its parts in any order', async () => {
    const created = await ask('POST', BERTHS, creation(NORTH));
    expect(created).toMatchObject({
      ...{ status: 201, location: `${BERTHS}/${encodeURIComponent(NORTH_TEXT)}` },
      body: { outcome: 'success', name: `open Berth/${NORTH_TEXT}` },
    });
    const read = await ask('GET', created.location!);
    expect(read.body).toMatchObject({ id: `Berth/${NORTH_TEXT}`, key: NORTH_TEXT, ...NORTH, state: 'Open' });
    const byParts = "Berth(number=7,side='left',harbour='north, quay 2')";
    expect((await ask('GET', `/api/harbour/v1/${byParts}?$select=number,state`)).body).toMatchObject({ number: 7 });
    const extended = await ask('POST', `/api/harbour/v1/${byParts}/harbour.v1.extend`, { by: 1 });
    expect(extended).toMatchObject({ status: 200, body: { outcome: 'success' } });
    const text = await ask('GET', `${BERTHS}/${encodeURIComponent('north~1 quay 2,left,8')}`);
    expect(text.body).toMatchObject({ number: 8, properties: { label: 'left 8' } });
    // It is the same one.
    expect(await ask('POST', BERTHS, creation(NORTH_TEXT))).toMatchObject({ status: 409 });
  });

  it('is refused by the name of the part that is wrong, and nothing is created', async () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [{ harbour: 'n', side: 'left' }, 'key.number'],
      [{ ...NORTH, number: '7' }, 'key.number'],
      [{ ...NORTH, harbour: '' }, 'key.harbour'],
      [{ ...NORTH, pier: 1 }, 'key.pier'],
      [7, 'key'],
      [undefined, 'key'],
      ['n'.repeat(201), 'key'],
    ];
    for (const [key, path] of cases) {
      const { status, body } = await ask('POST', BERTHS, creation(key));
      expect({ status, body }, path).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameters', issues: [{ path }] },
      });
    }
    const text = await ask('POST', BERTHS, creation('n,left,07'));
    expect(text).toMatchObject({ status: 400, body: { code: 'invalid_key', issues: [{ path: 'key.number' }] } });
    expect((await ask('POST', '/api/harbour/v1/Watch', { key: { name: 'w' } })).status).toBe(400);
  });

  it('is listed with its parts from Temporal while the store is unavailable (S5.2)', async () => {
    const key = { harbour: 'live', side: 'right', number: -3 };
    expect((await ask('POST', BERTHS, creation(key))).status).toBe(201);
    await expect
      .poll(async () => (await ask('GET', `${BERTHS}?$filter=key eq 'live,right,-3'`)).body['value'])
      .toMatchObject([{ key: 'live,right,-3', ...key }]);
    const chosen = await ask('GET', `${BERTHS}?$filter=key eq 'live,right,-3'&$select=number`);
    expect(chosen.body['value']).toMatchObject([{ number: -3 }]);
    const { status, body } = await ask('GET', `${BERTHS}?$filter=number eq -3`);
    expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'store_unavailable' });
  });
});
