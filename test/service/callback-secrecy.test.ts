import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { auditTrails } from '../../src/service/audit-trail.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serviceStore } from '../../src/service/service-store.js';
import { StoreAuditTrail } from '../../src/service/store-audit-trail.js';
import { StoreRejections } from '../../src/service/store-rejections.js';
import { observeRecords } from '../../src/telemetry/record-observer.js';
import { traceCalls, traceRecords } from '../../src/telemetry/tracing/trace-worker.js';
import { openTraces, type Traces } from '../../src/telemetry/tracing/traces.js';
import { openStore, type Store } from '../../src/store/index.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { cashiers, Invoice } from '../entities/invoice.js';
import { approvals, Order } from '../entities/order.js';
import { useServer } from '../store/server.js';
import { Collector } from '../support/collector.js';
import { histories, placesOf, tables } from '../support/secret-scan.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const server = useServer();
const callbacks = { url: 'https://callbacks.example/api', keys: new CallbackKeys(randomBytes(32).toString('base64')) };
/** Where each is asked, the latest last, by the entity's key. */
const tokens = new Map<string, string[]>();
const log: string[] = [];
const collector = new Collector();
let storeUrl: string;
let store: Store;
let service: TestService;
let api: RunningService;
let traces: Traces[];
let trails: { close(): Promise<void> }[];

const note = (key: string, token: string) => tokens.set(key, [...(tokens.get(key) ?? []), token]);

beforeAll(async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', await collector.start());
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '100');
  traces = [(await openTraces('worker', process.env))!, (await openTraces('service', process.env))!];
  vi.unstubAllEnvs();
  const [ofWorker, ofService] = traces as [Traces, Traces];
  storeUrl = await server.database();
  store = openStore({ url: storeUrl, dimensions: [] });
  await store.migrate();
  service = await startTestService({
    workflows: 'entities/secrecy-workflows.ts',
    declarations: ['entities/order.ts', 'entities/invoice.ts'],
    entities: [Order, Invoice],
    resources: [
      implementResource(approvals, {
        ask: async ({ amount }, { callback }) => void note(`order ${amount}`, callback.token),
        book: async () => ({}),
      }),
      implementResource(cashiers, {
        bill: async ({ amount, paid }, { addressOf }) => {
          note(`invoice ${amount}`, addressOf(paid).token);
          return {};
        },
      }),
    ],
    callbacks,
    records: observeRecords(store.writer, [traceRecords(ofWorker)]),
    calls: traceCalls(ofWorker),
  });
  const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
  const audit = new StoreAuditTrail(store.writer, logger);
  const rejections = new StoreRejections(store.writer, (message) => logger.warn(message));
  trails = [audit, rejections];
  const modules = [{ name: 'test', version: 1, entities: [Order, Invoice], resources: [approvals] }];
  const options = { reeve: service.reeve, modules, log: logger, callbacks, traces: ofService };
  const application = createApplication({
    ...{ ...options, audit: auditTrails(audit, rejections), store: serviceStore(store) },
  });
  api = await startService(application, {});
});
afterAll(async () => {
  await api.stop();
  await service.close();
  await store.close();
  for (const each of traces) await each.close();
  await collector.stop();
});

const tokenOf = (name: string) =>
  until(async () => expect(tokens.get(name)?.at(-1)).toBeDefined()).then(() => tokens.get(name)!.at(-1)!);

async function send(token: string, body: unknown, init: RequestInit = {}): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const asked = { method: 'POST', headers, ...(init.method !== 'GET' && { body: text }), ...init };
  const answer = await fetch(`${api.url}/api/callbacks/${token}`, asked);
  // A person who answers may keep what they are told, and show it to others.
  const told = (await answer.text()) + JSON.stringify([...answer.headers]);
  for (const part of token.split('.')) expect(told).not.toContain(part);
  return answer.status;
}

const state = async (type: string, key: string) => (await service.reeve.read({ type, key })).snapshot.state;
const yes = { output: { by: 'ann' } };

describe('the addresses at which calls are answered (A1, A2, callback-address.1)', () => {
  it('stand in no history, row, log or trace, whatever is answered there', async () => {
    await service.reeve.create(Order, 'a', 'place', { amount: 1 });
    const answered = await tokenOf('order 1');
    const wrongs: [unknown, RequestInit?][] = [
      [{ output: { by: 7 } }],
      ['{"output":'],
      ['x'.repeat(1_000_000)],
      ['by=ann', { headers: { 'content-type': 'text/plain' } }],
      ['', { method: 'GET' }],
    ];
    for (const [body, init] of wrongs) expect(await send(answered, body, init)).toBeGreaterThanOrEqual(400);
    expect(await send(`${answered}x`, yes)).toBe(404);
    const listed = await fetch(`${api.url}/api/test/v1/Order/a/pending-callbacks`);
    expect(await listed.text()).toContain(answered);
    expect(await send(answered, yes)).toBe(200);
    expect(await send(answered, yes)).toBe(200);
    expect(await send(answered, { output: { by: 'bob' } })).toBe(409);
    await until(async () => expect(await state('Order', 'a')).toBe('Approved'));

    await service.reeve.create(Order, 'b', 'place', { amount: 2 });
    const late = await tokenOf('order 2');
    await service.reeve.operations.result(await service.reeve.raise(Order, 'b', 'withdraw'));
    expect(await send(late, yes)).toBe(410);

    await service.reeve.create(Invoice, 'c', 'place', { amount: 3 });
    const address = await tokenOf('invoice 3');
    await until(async () => expect(await state('Invoice', 'c')).toBe('Billed'));
    expect(await send(address, { error: { code: 'no', message: 'no' } })).toBe(400);
    expect(await send(address, yes)).toBe(200);
    await until(async () => expect(await state('Invoice', 'c')).toBe('Paid'));
    expect(await send(address, { output: { by: 'bob' } })).toBeGreaterThanOrEqual(409);

    for (const each of trails) await each.close();
    await until(async () => expect([...(await tables(storeUrl))].join('\n')).toContain('Billed'));
    await until(async () => expect(collector.spans.map(({ name }) => name)).toContain('cashiers.bill'));
    const written = new Map([
      ...(await histories(service.environment.client)),
      ...(await tables(storeUrl)),
      ['log', log.join('\n')],
      ['traces', JSON.stringify(collector.spans)],
    ]);
    const all = [...tokens.values()].flat();
    expect(all).toHaveLength(3);
    expect(
      placesOf(
        all.flatMap((token) => token.split('.')),
        written,
      ),
    ).toEqual([]);
    // The scan finds what stands in each kind of place.
    expect(placesOf(['approvals.ask'], written)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^history of Order\/a/), 'traces']),
    );
    expect(placesOf(['Billed'], written)).toEqual(expect.arrayContaining([expect.stringMatching(/^table /)]));
    expect(placesOf(['decided'], written)).toContain('log');
  });
});

it('an answer that is awaited is seen in the store and in the UI: what, since when, until when; a call is a row with its transition (A2)', async () => {
  const begun = Date.now();
  await service.reeve.create(Order, 'seen', 'place', { amount: 9 });
  const token = await tokenOf('order 9');
  const awaited = () =>
    store.reader.selectFrom('pending_callbacks').selectAll().where('entity_key', '=', 'seen').execute();
  const row = await until(async () => {
    const [only] = await awaited();
    expect(only).toMatchObject({ entity_type: 'Order', call_name: 'approvals.ask', event: null });
    return only!;
  });
  expect(row.since_time.getTime()).toBeGreaterThanOrEqual(begun - 1_000);
  expect(row.until_time.getTime()).toBeGreaterThan(row.since_time.getTime());
  const handle = service.environment.client.workflow.getHandle('Order/seen');
  const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain(
    `Waits on callback: the answer to \`approvals.ask\`, since ${row.since_time.toISOString()}, until ${row.until_time.toISOString()} at most.`,
  );
  expect(await send(token, yes)).toBe(200);
  await until(async () => expect(await awaited()).toEqual([]));
  const calls = await until(async () => {
    const rows = await store.reader.selectFrom('calls').selectAll().where('entity_key', '=', 'seen').execute();
    expect(rows).toHaveLength(2);
    return rows;
  });
  expect(calls.map(({ call_name, mode, action_name }) => [call_name, mode, action_name])).toEqual([
    ['approvals.ask', 'callback', 'approve'],
    ['approvals.book', 'activity', 'approve'],
  ]);
  for (const call of calls) expect(call.end_time?.getTime()).toBeGreaterThanOrEqual(call.start_time.getTime());
});
