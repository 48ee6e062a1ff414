import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { keeperWorkflowId } from '../../src/protocol/names.js';
import { watchLosses } from '../../src/temporal/keeper/watch-losses.js';
import { Fleet, Ship } from '../entities/fleet.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/loss-workflows.ts',
    declarations: ['entities/fleet.ts', 'entities/box.ts'],
    entities: [Fleet, Ship],
    resources: [new Shelf().resource],
    // As that of workers which are invoked.
    lossesEvery: '1h',
  });
});
afterAll(async () => service.close());

/** A loss is seen within so much time. */
const WITHIN_MS = 30_000;
const handle = (id: string) => service.client.workflow.getHandle(id);
const stateOf = async (key: string) => (await service.reeve.read({ type: 'Fleet', key })).snapshot.state;

async function ready(key: string): Promise<readonly string[]> {
  const ships = [1, 2, 3].map((number) => `${key}-${number}`);
  await service.reeve.operations.result(await service.reeve.create(Fleet, key, 'launch', { ships }));
  return ships;
}

function watch(): void {
  const ended = new AbortController();
  const { client } = service;
  const watching = watchLosses(
    { client, taskQueue: 'reeve', types: ['Fleet', 'Ship'], everyMs: 250, warn: (message) => expect.fail(message) },
    ended.signal,
  );
  onTestFinished(async () => {
    ended.abort();
    await watching;
  });
}

describe('a keeper that sleeps for an hour, as that of workers which are invoked', () => {
  it('is woken by the management service, so that a loss is heard of within 30 s (S4.4)', async () => {
    const [, ...others] = await ready('armada');
    watch();
    for (const ship of others) await handle(`Ship/${ship}`).terminate();
    await until(async () => expect(await stateOf('armada')).toBe('Degraded'), WITHIN_MS);
  });

  it('hears of it as soon as a worker is up, where none was (S4.4)', async () => {
    const [, ...others] = await ready('night');
    await service.stopWorker();
    const { runId } = await handle(keeperWorkflowId('reeve')).describe();
    watch();
    for (const ship of others) await handle(`Ship/${ship}`).terminate();
    // Code that invokes workers sees by this that there is work.
    await until(async () => {
      const { events } = await handle(keeperWorkflowId('reeve')).fetchHistory();
      expect(events?.some(({ workflowExecutionSignaledEventAttributes: signal }) => signal)).toBe(true);
    });
    await service.startWorker();
    await until(async () => expect(await stateOf('night')).toBe('Degraded'), WITHIN_MS);
    expect((await handle(keeperWorkflowId('reeve')).describe()).runId).not.toBe(runId);
  });

  it('is started where somebody has ended it (S4.4)', async () => {
    const [, ...others] = await ready('unkept');
    await handle(keeperWorkflowId('reeve')).terminate();
    watch();
    for (const ship of others) await handle(`Ship/${ship}`).terminate();
    await until(async () => expect(await stateOf('unkept')).toBe('Degraded'), WITHIN_MS);
  });
});
