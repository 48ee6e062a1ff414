import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { serveMetrics, type MetricsServer } from '../../src/telemetry/metrics-server.js';
import { RecordMetrics } from '../../src/telemetry/record-metrics.js';
import { observeRecords } from '../../src/telemetry/record-observer.js';
import { measureRunningOperations } from '../../src/telemetry/running-operations.js';
import { Box, Room } from '../entities/box.js';
import { ask, BOXES, MODULE } from '../support/management.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';
import pino from 'pino';

const shelf = new Shelf();
const ofWorker = new Registry();
const ofService = new Registry();
let service: TestService;
let api: RunningService;
let worker: MetricsServer;
let own: MetricsServer;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
    records: observeRecords(undefined, [new RecordMetrics(ofWorker).observe]),
  });
  worker = await serveMetrics(ofWorker, { host: '127.0.0.1', port: 0 });
  own = await serveMetrics(ofService, { host: '127.0.0.1', port: 0 });
  measureRunningOperations(ofService, service.environment.client);
  const { reeve } = service;
  const log = pino({ enabled: false });
  api = await startService(createApplication({ reeve, modules: [MODULE], log, metrics: ofService }));
});
afterAll(async () => {
  await worker.stop();
  await own.stop();
  await api.stop();
  await service.close();
});

/** The value of one series, as Prometheus reads it. */
async function read(url: string, series: string): Promise<number | undefined> {
  const lines = (await (await fetch(url)).text()).split('\n');
  const line = lines.find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
const ofWorkerIs = (series: string, value: number) =>
  until(async () => expect(await read(worker.url, series), series).toBe(value));
const ofServiceIs = (series: string, value: number) =>
  until(async () => expect(await read(own.url, series), series).toBe(value));

describe('measures (S5.5)', () => {
  it('count operations, events, transitions, attempts and time in state by declared names, with failures by who must act', async () => {
    shelf.failures.set('oak', 2);
    await service.reeve.operations.result(
      await service.reeve.create(Room, 'hall', 'furnish', { boxes: ['oak', 'elm'] }),
    );
    await ofWorkerIs('reeve_operations_total{type="Room",event="furnish",outcome="success"}', 1);
    await ofWorkerIs('reeve_operation_duration_seconds_count{type="Room",event="furnish",outcome="success"}', 1);
    await ofWorkerIs('reeve_events_total{type="Box",event="place",outcome="success"}', 2);
    await ofWorkerIs('reeve_transitions_total{type="Box",action="put",outcome="success"}', 2);
    await ofWorkerIs('reeve_transitions_total{type="Box",action="put",outcome="failed"}', 2);
    await ofWorkerIs('reeve_action_attempts_sum{type="Box",action="put",outcome="success"}', 4);
    await ofWorkerIs('reeve_state_duration_seconds_count{type="Box",state="Placing"}', 2);
    await ofWorkerIs('reeve_errors_total{level="transition",type="Box",kind="retryable"}', 2);
    const text = await (await fetch(worker.url)).text();
    expect(text).not.toMatch(/hall|oak|elm/);
  });

  it('name an operation for each bucket of the durations, to those who take OpenMetrics', async () => {
    const options = { requestId: 'show-me' };
    await service.reeve.operations.result(await service.reeve.create(Box, 'birch', 'place', { label: 'b' }, options));
    const headers = { accept: 'application/openmetrics-text; version=1.0.0' };
    const lines = await until(async () => {
      const response = await fetch(worker.url, { headers });
      expect(response.headers.get('content-type')).toContain('application/openmetrics-text');
      const all = (await response.text()).trimEnd().split('\n');
      const named = all.filter((line) => line.includes('# {request_id="show-me"}')).map((line) => line.split('{')[0]);
      for (const level of ['operation', 'event', 'transition']) {
        expect(named).toContain(`reeve_${level}_duration_seconds_bucket`);
      }
      return all;
    });
    expect(lines.at(-1)).toBe('# EOF');
    const counted = 'reeve_operations_total{type="Box",event="place",outcome="success"} ';
    expect(lines.filter((line) => line.startsWith(counted))).toHaveLength(1);
    expect(lines).toContain('# TYPE reeve_operations counter');
    expect(await (await fetch(worker.url)).text()).not.toContain('show-me');
  });

  it('tell what runs, how an operation failed, and each ending once', async () => {
    const gate = shelf.hold('ash');
    shelf.failures.set('ash', 4);
    const taken = await service.reeve.create(Box, 'ash', 'place', { label: 'a' });
    await ofServiceIs('reeve_operations_running', 1);
    await ofServiceIs('reeve_operations_hung', 0);
    gate.open();
    expect((await service.reeve.operations.result(taken)).outcome).toBe('failed');
    await ofServiceIs('reeve_operations_running', 0);
    await ofWorkerIs('reeve_operations_total{type="Box",event="place",outcome="failed"}', 1);
    await ofWorkerIs('reeve_transitions_total{type="Box",action="put",outcome="exhausted"}', 1);
    await ofWorkerIs('reeve_action_attempts_sum{type="Box",action="put",outcome="exhausted"}', 4);
  });

  it('of requests go by route and not by path, and tell how many are in flight (S6.1)', async () => {
    await ask(api, 'GET', `${BOXES}/nobody`);
    await ask(api, 'GET', `${BOXES}/none`);
    await ask(api, 'GET', '/nowhere/at/all');
    const labels = (route: string) => `{method="GET",route="${route}",status="404"}`;
    await ofServiceIs(`reeve_http_request_duration_seconds_count${labels(`${BOXES}/:key`)}`, 2);
    await ofServiceIs(`reeve_http_request_duration_seconds_count${labels('none')}`, 1);
    await ofServiceIs('reeve_http_requests_in_flight', 0);
  });
});
