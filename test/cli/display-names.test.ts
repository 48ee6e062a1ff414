import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { openStore, type Store } from '../../src/store/index.js';
import { Payment } from '../entities/payment.js';
import { useMortalServer } from '../store/server.js';
import { ask } from '../support/management.js';
import { callReeve } from '../support/reeve-call.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/*
 * Names for programs and names for people, from the declaration to the command line, on a real service.
 */
const PAYMENTS = '/api/shop/v1/Payment';
const server = useMortalServer();
let store: Store;
let service: TestService;
let api: RunningService;
let elsewhere: string;

beforeAll(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), 'reeve-names-'));
  store = openStore({ url: await server.database(), dimensions: [] });
  await store.migrate();
  service = await startTestService({
    workflows: 'entities/payment-workflows.ts',
    declarations: ['entities/payment.ts'],
    entities: [Payment],
    resources: [],
    records: store.writer,
  });
  const modules = [{ name: 'shop', version: 1, entities: [Payment] }];
  const log = pino({ level: 'silent' });
  api = await startService(createApplication({ reeve: service.reeve, modules, log, store: serviceStore(store) }));
});
afterAll(async () => {
  await api.stop();
  await service.close();
  await store.close();
  await rm(elsewhere, { recursive: true, force: true });
});

const reeve = (...args: readonly string[]) => callReeve(args, { REEVE_API: api.url }, elsewhere);
const create = async (key: string) => {
  const json = { key, event: 'confirm', parameters: { amount: 5 } };
  expect(await ask(api, 'POST', PAYMENTS, { json, headers: { prefer: 'wait=10' } })).toMatchObject({ status: 201 });
};

describe('the names of another domain', () => {
  it('are those of the API: states, filters, addresses and rows (S6.1, S6.2)', async () => {
    await create('one');
    expect((await ask(api, 'GET', `${PAYMENTS}/one`)).body).toMatchObject({
      ...{ state: 'requires_capture', 'state@reeve.displayName': 'Requires capture' },
    });
    const { body } = await ask(api, 'GET', `${PAYMENTS}/one/allowed-events`);
    expect(body).toMatchObject({
      state: 'requires_capture',
      events: [
        { event: 'confirm', allowed: false, rejection: { state: 'requires_capture' } },
        { event: 'capture_payment', displayName: 'Capture the money', allowed: true },
        { event: 'cancel_payment', displayName: 'Call it off', allowed: true },
      ],
    });
    const listed = async (filter: string) => {
      const found = await ask(api, 'GET', `${PAYMENTS}?$filter=${encodeURIComponent(filter)}`);
      return (found.body['value'] as readonly { key: string }[]).map(({ key }) => key);
    };
    await until(async () => expect(await listed("state eq 'requires_capture'")).toEqual(['one']));
    const refused = await ask(api, 'POST', PAYMENTS, {
      json: { key: 'one', event: 'confirm', parameters: { amount: 5 } },
    });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        ...{ code: 'not_valid', state: 'requires_capture' },
        validNow: ['capture_payment', 'cancel_payment'],
        detail:
          "'confirm' is not valid while Payment/one is Requires capture. Valid now: Capture the money, Call it off.",
      },
    });
    const captured = await ask(api, 'POST', `${PAYMENTS}/one/capture_payment`, { headers: { prefer: 'wait=10' } });
    expect(captured).toMatchObject({ status: 200, body: { outcome: 'success' } });
    const events = async () => (await ask(api, 'GET', '/api/events?$orderby=event_id')).body['value'];
    await until(async () =>
      expect(await events()).toMatchObject([
        { event: 'confirm', start_state: 'requires_confirmation', end_state: 'requires_capture' },
        { event: 'capture_payment', start_state: 'requires_capture', end_state: 'succeeded' },
      ]),
    );
  });

  it('are read by people as they are displayed, and they may call them so (S6.3)', async () => {
    await create('two');
    const shown = await reeve('get', 'Payment/two');
    expect(shown.stdout).toMatch(/^Payment\/two {2}Requires capture\n/);
    expect(shown.stdout).toMatch(/Capture the money +valid/);
    expect(JSON.parse((await reeve('get', 'Payment/two', '--json')).stdout)).toMatchObject({
      ...{ state: 'requires_capture', events: [{ event: 'confirm' }, { event: 'capture_payment' }, {}] },
    });
    await until(async () => {
      for (const called of ['Requires capture', 'requires_capture']) {
        const { stdout, stderr } = await reeve('entities', 'Payment', '--state', called);
        expect(stdout, stderr).toMatch(/Payment\/two +Requires capture/);
      }
      const json = JSON.parse((await reeve('entities', '--state', 'Requires capture', '--json')).stdout) as object;
      expect(json).toMatchObject({ items: [{ key: 'two', state: 'requires_capture' }] });
    });
    const wrong = await reeve('entities', 'Payment', '--state', 'requires_captur');
    expect(wrong.stderr).toMatch(
      /^--state: Payment has no state 'requires_captur'\. Did you mean 'requires_capture'\? It has: \w+, /,
    );
    const explained = await reeve('explain', 'Payment/two');
    expect(explained.stdout).toMatch(/Payment\/two +Requires capture/);
    expect(explained.stdout).toContain('raises Call it off in');
    expect((await reeve('follow', 'Payment/two', '--until', 'Requires capture')).stdout).toMatch(
      /Requires capture +settled/,
    );
    expect(await reeve('raise', 'Payment/two', 'confirm', '--params', '{"amount":1}')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "not_valid: 'confirm' is not valid while Payment/two is Requires capture. Valid now: Capture the money, Call it off.",
      ),
    });
    expect(await reeve('raise', 'Payment/two', 'Call it off', '--wait')).toMatchObject({ code: 0 });
    expect((await reeve('get', 'Payment/two')).stdout).toMatch(/^Payment\/two {2}Called off {2}gone/);
    await until(async () => {
      expect((await reeve('events', '--entity', 'Payment/two')).stdout).toMatch(
        /Call it off .* Requires capture → Called off/,
      );
    });
    expect(await reeve('raise', 'Payment/two', 'Call it')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("'Call it' is not a name of an event") },
    });
  });

  it('are described by $metadata and the OpenAPI document (S6.1, S6.2)', async () => {
    const headers = { accept: 'application/json' };
    const { body } = await ask(api, 'GET', '/api/shop/v1/$metadata', { headers });
    expect(body['shop.v1']).toMatchObject({
      Payment: {
        state: {
          '@Org.OData.Validation.V1.AllowedValues': [
            { Value: 'requires_confirmation', '@Org.OData.Core.V1.Description': 'To be confirmed' },
            { Value: 'requires_capture', '@Org.OData.Core.V1.Description': 'Requires capture' },
            { Value: 'succeeded' },
            {},
          ],
        },
      },
      capture_payment: [{ '@Org.OData.Core.V1.Description': 'Capture the money' }],
    });
    const document = (await ask(api, 'GET', '/openapi.json')).body;
    expect(document['paths']).toMatchObject({
      [`${PAYMENTS}/{key}/capture_payment`]: {
        post: { summary: "Raise 'capture_payment' on a Payment: Capture the money" },
      },
    });
  });
});
