import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { contentFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import type { Recollection } from '../../src/protocol/past-request.js';
import { NO_STORE, type ServiceStore } from '../../src/service/service-store.js';
import { StoreAway, type StoreViews } from '../../src/store/index.js';
import { Box, Room } from '../entities/box.js';
import { ask, BOXES, startTestManagement, type TestManagement } from '../support/management.js';

let management: TestManagement;
beforeAll(async () => {
  management = await startTestManagement();
});
afterAll(async () => management.close());

const at = new Date(3_000);
const row: StoreViews['entities'] = {
  ...{
    type: 'Box',
    key: 'old',
    life: 'long ago',
    version: 9,
    schema: 1,
    state: 'Deleted',
    health: 'normal',
    settled: true,
  },
  ...{
    stuck_since: null,
    need_since: null,
    need: null,
    waits: false,
    deleted: true,
    operation: null,
    properties: { label: 'last' },
    links: {},
    subordinates: {},
  },
  ...{ created_time: at, state_entry_time: at, reported_time: at, written_time: at },
};

/** A service whose store knows one box that Temporal has forgotten. */
async function instance(recall: () => Promise<Recollection>) {
  const store: ServiceStore = { ...NO_STORE, entity: async ({ key }) => (key === 'old' ? row : undefined) };
  const { client } = management.environment;
  const reeve = new ReeveClient({ client, entities: [Box, Room], recall });
  return management.another({ reeve, store });
}

describe('an entity that ended longer ago than Temporal remembers (S1.3)', () => {
  it('answers 410 from its row, to reads and to events; what was never there answers 404', async () => {
    const api = await instance(async () => ({ requests: [], earlierLives: true }));
    expect(await ask(api, 'GET', `${BOXES}/old`)).toMatchObject({
      status: 410,
      body: { code: 'gone', entity: 'Box/old', last: { state: 'Deleted', properties: { label: 'last' } } },
    });
    expect(await ask(api, 'GET', `${BOXES}/old/allowed-events`)).toMatchObject({ status: 410 });
    const raised = await ask(api, 'POST', `${BOXES}/old/remove`);
    expect(raised).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(raised.body).not.toHaveProperty('last');
    expect(await ask(api, 'GET', `${BOXES}/never`)).toMatchObject({ status: 404, body: { code: 'absent' } });
    expect(await ask(api, 'POST', `${BOXES}/never/remove`)).toMatchObject({ status: 404, body: { code: 'absent' } });
  });

  it('answers a request that it has had with its first outcome, and creates nothing by it (S2.5)', async () => {
    const outcome = { state: 'Placed', version: 3, health: 'normal', waiting: false } as const;
    const fingerprint = contentFingerprint({ event: 'place', params: { label: 'x' } });
    const asked: string[] = [];
    const api = await instance(async (...[question]: unknown[]) => {
      const { ids } = question as { readonly ids: readonly string[] };
      asked.push(...ids);
      const known = { event: 'place', fingerprint, life: 'long ago', outcome, startedAt: 0, endedAt: 1 };
      const past = ids.map((id) => ({ id, operation: id, ...known }));
      return { requests: past, earlierLives: true };
    });
    const json = { key: 'had', event: 'place', parameters: { label: 'x' } };
    const headers = { 'idempotency-key': 'mine' };
    const answered = await ask(api, 'POST', BOXES, { json, headers });
    expect(answered).toMatchObject({ body: { outcome: 'success' } });
    expect([200, 201]).toContain(answered.status);
    expect(asked[0]).toMatch(/^mine~/);
    expect(await ask(api, 'GET', `${BOXES}/had`)).toMatchObject({ status: 404 });
    const other = { ...json, parameters: { label: 'other' } };
    expect(await ask(api, 'POST', BOXES, { json: other, headers })).toMatchObject({ status: 422 });
  });

  it('is to be asked again while the store is unavailable; what is new by its time is created (S2.5)', async () => {
    const api = await instance(async () => {
      throw new StoreAway('it is gone');
    });
    const json = (key: string) => ({ key, event: 'place', parameters: { label: 'x' } });
    const doubtful = await ask(api, 'POST', BOXES, { json: json('away'), headers: { 'idempotency-key': 'mine' } });
    expect(doubtful).toMatchObject({ status: 503, body: { code: 'try_again', entity: 'Box/away' } });
    expect(doubtful.headers.get('retry-after')).toBe('5');
    const created = await ask(api, 'POST', BOXES, { json: json('away'), headers: { prefer: 'wait=20' } });
    expect(created).toMatchObject({ status: 201 });
  });
});
