import { Client, type Connection } from '@temporalio/client';
import pino from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication, type Application } from '../../src/service/application.js';
import { serviceStore } from '../../src/service/service-store.js';
import { connect } from '../../src/temporal/connection.js';
import { event, operation, standing } from '../store/records.js';
import { useMortalServer } from '../store/server.js';
import { Box, Room } from '../entities/box.js';
import { BOXES, MODULE } from '../support/management.js';
import { startTestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';

/** Nobody waits longer for an answer, in milliseconds. */
const LONGEST_MS = 30_000;

const server = useMortalServer();
let connection: Connection;
let reeve: ReeveClient;
beforeAll(async () => {
  const temporal = await startTestService({
    alone: true,
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [new Shelf().resource],
  });
  connection = await connect({ address: temporal.environment.address });
  reeve = new ReeveClient({ client: new Client({ connection }), entities: [Box, Room] });
  // From now on, nobody is where Temporal was.
  await temporal.close();
});
afterAll(() => connection.close());

async function get(application: Application, method: string, path: string) {
  const response = await application.fetch(new Request(`http://127.0.0.1${path}`, { method }));
  const body = JSON.parse((await response.text()) || '{}') as Readonly<Record<string, unknown>>;
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

it(
  'while Temporal cannot be reached, reads go on from the store and say so, and all else says when to come again (S5.2, S6.1)',
  { timeout: LONGEST_MS },
  async () => {
    const store = await server.store();
    const entity = { type: 'Box', key: 'kept', life: 'l' };
    await store.writer.keep([
      operation('done', { name: 'place Box/kept', outcome: 'success', endedAt: Date.now() }),
      event('done', { entity, operation: 'done' }),
      standing(1, { entity, state: 'Placed' }),
    ]);
    const application = createApplication({
      ...{ reeve, modules: [MODULE], log: pino({ level: 'silent' }), store: serviceStore(store) },
      settings: { answerMs: 500 },
    });
    const ask = (method: string, path: string) => get(application, method, path);
    const fromStore = [
      [`${BOXES}/kept`, { state: 'Placed', stale: true }],
      ['/api/operations/done', { outcome: 'success', stale: true }],
      ['/api/operations/done?%24expand=events', { stale: true, events: [{ keys: 'kept' }] }],
      // It has ended, so it waits for nothing.
      ['/api/operations/done/explanation', { entities: [], stuck: [] }],
      [BOXES, { value: [{ key: 'kept' }] }],
    ] as const;
    const unanswered = [
      ...[`${BOXES}/none`, `${BOXES}/kept/allowed-events`, `${BOXES}/kept/change-stream`, `${BOXES}/kept/explanation`],
      ...['/api/operations/none', '/api/operations/none/change-stream'],
    ];
    await Promise.all([
      ...fromStore.map(async ([path, body]) =>
        expect(await ask('GET', path), path).toMatchObject({ status: 200, body }),
      ),
      ...unanswered.map(async (path) =>
        expect(await ask('GET', path), path).toMatchObject({
          status: 503,
          retryAfter: '5',
          body: { code: 'no_answer' },
        }),
      ),
      ...[`${BOXES}/kept/look`, '/api/operations/none/cancel'].map(async (path) =>
        expect(await ask('POST', path), path).toMatchObject({ status: 503, retryAfter: '5' }),
      ),
    ]);
  },
);

it(
  'while the store cannot be reached either, reads say so, and nothing is a defect (S5.2, S6.1)',
  { timeout: LONGEST_MS },
  async () => {
    const store = await server.store();
    const application = createApplication({
      ...{ reeve, modules: [MODULE], log: pino({ level: 'silent' }), store: serviceStore(store) },
      settings: { answerMs: 500 },
    });
    const ready = await get(application, 'GET', '/health/ready');
    expect(ready.body).toEqual({ status: 'ok' });
    await server.stop();
    onTestFinished(() => server.start());
    for (const path of [
      `${BOXES}/kept`,
      '/api/operations/done',
      '/api/operations/done/explanation',
      '/api/deployments/shop',
    ]) {
      const answer = await get(application, 'GET', path);
      expect([path, answer.status, answer.body['code']]).toEqual([path, 503, expect.not.stringMatching('defect')]);
      expect(answer.retryAfter).not.toBeNull();
    }
    // Machines go on, so it stays ready.
    expect(await get(application, 'GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { store: 'unavailable' },
    });
  },
);
