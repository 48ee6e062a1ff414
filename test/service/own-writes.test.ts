import { Client } from '@temporalio/client';
import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import type { EntityRef } from '../../src/protocol/names.js';
import { Rejected } from '../../src/protocol/errors.js';
import { createApplication } from '../../src/service/application.js';
import { ProblemError } from '../../src/service/problem.js';
import { NO_STORE, type ServiceStore } from '../../src/service/service-store.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Box } from '../entities/box.js';

const PLACE: EntityRef = { type: 'Box', key: 'a' };

/** A service whose operations have no workflow yet: only the entity on which they were opened knows them. */
function serviceWith(store: Partial<ServiceStore>) {
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const reeve = new ReeveClient({ client, entities: [Box] });
  const absent = () => new Rejected({ code: 'absent', message: 'There is none.', entity: 'op/one', event: '' });
  vi.spyOn(reeve.operations, 'read').mockImplementation(async (id, on) => {
    if (id !== 'one' || on?.key !== 'a') throw absent();
    return { state: 'beginning', event: 'place' };
  });
  vi.spyOn(reeve, 'revision').mockImplementation(async (id) => {
    if (id !== 'Box/a') throw absent();
    return 'first';
  });
  vi.spyOn(reeve.operations, 'cancel').mockResolvedValue();
  vi.spyOn(reeve, 'explain').mockResolvedValue({ at: 0, entities: [], starved: [], stuck: [] });
  vi.spyOn(reeve, 'createAny').mockResolvedValue({
    ...{ entity: PLACE, event: 'place', requestId: 'one' },
    answer: { status: 'accepted', operation: 'one' },
  });
  const modules = [{ name: 'test', version: 1, entities: [Box] }];
  const log = pino({ level: 'silent' });
  const application = createApplication({ reeve, modules, log, store: { ...NO_STORE, ...store } });
  return async (method: string, path: string, body?: object) =>
    application.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
}

const ADDRESSES = [
  ['GET', ''],
  ['GET', '/explanation'],
  ['POST', '/cancel'],
] as const;

it('an operation is found under its id alone as soon as an answer has named it (S4.7)', async () => {
  const noted: unknown[] = [];
  const ask = serviceWith({ noteFirstResponse: async (...told) => void noted.push(told) });
  for (const [method, rest] of ADDRESSES) expect((await ask(method, `/api/operations/one${rest}`)).status).toBe(404);
  const accepted = await ask('POST', '/api/test/v1/Box', { key: 'a', event: 'place', parameters: { label: 'x' } });
  expect(accepted.status).toBe(202);
  for (const [method, rest] of ADDRESSES) {
    const answer = await ask(method, `/api/operations/one${rest}`);
    expect([rest, answer.status]).toEqual([rest, method === 'POST' ? 202 : 200]);
  }
  // Other instances learn of it by the store.
  expect(noted).toEqual([['one', expect.any(Number), PLACE]]);
});

it('and at an instance that has not answered, which asks the store (S4.7, S6.1)', async () => {
  const ask = serviceWith({ operationPlace: async (id) => (id === 'one' ? PLACE : undefined) });
  for (const [method, rest] of ADDRESSES) {
    const answer = await ask(method, `/api/operations/one${rest}`);
    expect([rest, answer.status]).toEqual([rest, method === 'POST' ? 202 : 200]);
    expect((await ask(method, `/api/operations/two${rest}`)).status).toBe(404);
  }
  const stream = await ask('GET', '/api/operations/one/change-stream');
  let told = '';
  for await (const chunk of stream.body!) {
    told += new TextDecoder().decode(chunk);
    if (told.includes('\n\n') && told.includes('data:')) break;
  }
  expect(told).toContain('"request_id":"one"');
});

it('while the store is unavailable, nobody says that an operation is not there (S4.7, S5.2)', async () => {
  const away = async () => {
    throw new ProblemError('store_unavailable', 'The store cannot be reached.');
  };
  const ask = serviceWith({ operationPlace: away });
  for (const [method, rest] of ADDRESSES) {
    expect([rest, (await ask(method, `/api/operations/one${rest}`)).status]).toEqual([rest, 503]);
  }
});
