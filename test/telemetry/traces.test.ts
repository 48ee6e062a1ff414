import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { observeRecords } from '../../src/telemetry/record-observer.js';
import { traceIdOf } from '../../src/telemetry/tracing/trace-span.js';
import { traceCalls, traceRecords } from '../../src/telemetry/tracing/trace-worker.js';
import { openTraces, type Traces } from '../../src/telemetry/tracing/traces.js';
import { Box, Room } from '../entities/box.js';
import { Collector, type CollectedSpan } from '../support/collector.js';
import { ask, MODULE, ROOMS } from '../support/management.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const collector = new Collector();
const shelf = new Shelf();
let service: TestService;
let api: RunningService;
let ofWorker: Traces;
let ofService: Traces;

beforeAll(async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', await collector.start());
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '100');
  ofWorker = (await openTraces('worker', process.env))!;
  ofService = (await openTraces('service', process.env))!;
  vi.unstubAllEnvs();
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
    records: observeRecords(undefined, [traceRecords(ofWorker)]),
    calls: traceCalls(ofWorker),
  });
  const { reeve } = service;
  const log = pino({ enabled: false });
  api = await startService(createApplication({ reeve, modules: [MODULE], log, traces: ofService }));
});
afterAll(async () => {
  await api.stop();
  await service.close();
  await ofWorker.close();
  await ofService.close();
  await collector.stop();
});

const find = (name: string): CollectedSpan => {
  const span = collector.spans.find((each) => each.name === name);
  expect(span, `${name} among ${collector.spans.map((each) => each.name).join(', ')}`).toBeDefined();
  return span!;
};

describe('traces (S5.5)', () => {
  it('are one for an operation, over the API, its entities and their calls, and reach a collector by OTLP', async () => {
    shelf.failures.set('oak', 1);
    const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
    const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-01`, prefer: 'wait=30' };
    const json = { key: 'hall', event: 'furnish', parameters: { boxes: ['oak'] } };
    const { body } = await ask(api, 'POST', ROOMS, { headers, json });
    const names = ['furnish Room/hall', 'boxesPlaced Room/hall', 'finish Room/hall', `POST ${ROOMS}`, 'shelf.put'];
    await until(() => {
      names.map(find);
      // The operation is the last to end.
      return Promise.resolve(expect(collector.spans.filter(({ parentSpanId }) => !parentSpanId)).toHaveLength(1));
    });

    const [root, ...others] = collector.spans.filter(({ parentSpanId }) => !parentSpanId);
    expect(others).toEqual([]);
    expect(root).toMatchObject({ name: 'furnish Room/hall', traceId: traceIdOf(String(body['request_id'])) });
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([root!.traceId]));
    const ids = new Set(collector.spans.map(({ spanId }) => spanId));
    expect(ids.size).toBe(collector.spans.length);
    for (const { name, parentSpanId } of collector.spans) {
      if (parentSpanId) expect(ids, name).toContain(parentSpanId);
    }

    const placed = find('place Box/oak');
    expect(placed.parentSpanId).toBe(root!.spanId);
    for (const name of ['shelf.put', 'put Box/oak']) expect(find(name).parentSpanId, name).toBe(placed.spanId);
    const calls = collector.spans.filter(({ name }) => name === 'shelf.put');
    expect(calls.map(({ status }) => status.message)).toEqual(['no room for oak', undefined]);
    const request = find(`POST ${ROOMS}`);
    expect(request.parentSpanId).toBe(root!.spanId);
    expect(request.links).toMatchObject([caller]);
  });

  it('are none without a collector', async () => {
    expect(await openTraces('worker', {})).toBeUndefined();
  });
});
