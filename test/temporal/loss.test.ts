import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keeperWorkflowId } from '../../src/protocol/names.js';
import { Box, Room } from '../entities/box.js';
import { Fleet, Ship } from '../entities/fleet.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const shelf = new Shelf();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/loss-workflows.ts',
    declarations: ['entities/fleet.ts', 'entities/box.ts'],
    entities: [Fleet, Ship, Box, Room],
    resources: [shelf.resource],
  });
});
afterAll(async () => service.close());

/** A loss is seen within so much time. */
const WITHIN_MS = 30_000;

const handle = (id: string) => service.environment.client.workflow.getHandle(id);
const fleet = async (key: string) => (await service.reeve.read({ type: 'Fleet', key })).snapshot;
const lost = async (key: string) =>
  (await fleet(key)).successors.filter(({ outcome }) => outcome?.lost).map((successor) => successor.key);

/** A fleet that is Ready, with five ships of its name. */
async function ready(key: string): Promise<readonly string[]> {
  const ships = [1, 2, 3, 4, 5].map((number) => `${key}-${number}`);
  await service.reeve.operations.result(await service.reeve.create(Fleet, key, 'launch', { ships }));
  expect((await fleet(key)).state).toBe('Ready');
  return ships;
}

describe('an entity whose successors are ended by hand, on a real service', () => {
  it('hears of it within 30 s in a state in which it waits for nothing, by its subscription (S4.4)', async () => {
    const ships = await ready('armada');
    for (const ship of ships.slice(2)) await handle(`Ship/${ship}`).terminate();
    await until(async () => expect((await fleet('armada')).state).toBe('Degraded'), WITHIN_MS);
    expect((await lost('armada')).toSorted()).toEqual(ships.slice(2));
    const waits = await service.reeve.explain({ type: 'Fleet', key: 'armada' });
    expect(JSON.stringify(waits)).toContain('"lost"');
  });

  it('hears of the one to which a link leads, whatever it is in (S4.4)', async () => {
    const [flagship] = await ready('lead');
    await handle(`Ship/${flagship}`).terminate();
    await until(async () => expect((await fleet('lead')).state).toBe('Headless'), WITHIN_MS);
    expect((await fleet('lead')).links['flagship']).toBe(flagship);
  });

  it('hears of those that were cancelled (S4.4)', async () => {
    const ships = await ready('canceled');
    await handle(`Ship/${ships[3]}`).cancel();
    await until(async () => expect(await lost('canceled')).toEqual([ships[3]]), WITHIN_MS);
    expect((await fleet('canceled')).state).toBe('Ready');
  });

  it('is told of a loss of an action that runs, without waiting for a look (S4.4)', async () => {
    const gate = shelf.hold('slow');
    const taken = await service.reeve.create(Room, 'room', 'furnish', { boxes: ['slow'] });
    await until(async () => {
      const { snapshot } = await service.reeve.read({ type: 'Box', key: 'slow' });
      expect(snapshot.running?.action).toBe('put');
    });
    await handle('Box/slow').terminate();
    const { outcome, errors } = await service.reeve.operations.result(taken);
    gate.open();
    expect({ outcome, errors }).toMatchObject({ outcome: 'failed', errors: [{ code: 'lost' }] });
  });

  it('is told nothing of one that was reset, and so lives on (S4.4)', async () => {
    const ships = await ready('reset');
    const id = `Ship/${ships[4]}`;
    const { runId } = await handle(id).describe();
    const { events = [] } = await handle(id).fetchHistory();
    const completed = events?.find(({ workflowTaskCompletedEventAttributes: task }) => task)?.eventId;
    await service.environment.client.workflowService.resetWorkflowExecution({
      namespace: service.namespace,
      workflowExecution: { workflowId: id, runId },
      reason: 'a test',
      workflowTaskFinishEventId: completed!,
      requestId: 'reset-1',
    });
    await handle(`Ship/${ships[3]}`).terminate();
    await until(async () => expect(await lost('reset')).toEqual([ships[3]]), WITHIN_MS);
    // Losses that the keeper finds later are told later.
    await handle(`Ship/${ships[2]}`).terminate();
    await until(async () => expect(await lost('reset')).toEqual([ships[2], ships[3]]), WITHIN_MS);
    expect((await fleet('reset')).state).toBe('Ready');
  });

  it('is told of what was ended while no worker was up (S4.4)', async () => {
    const ships = await ready('night');
    await service.stopWorker();
    for (const ship of ships.slice(1)) await handle(`Ship/${ship}`).terminate();
    await service.startWorker();
    await until(async () => expect((await fleet('night')).state).toBe('Degraded'), WITHIN_MS);
  });

  it('is told of what was ended with a timer that no worker has seen the end of (S4.4)', async () => {
    const ships = await ready('late');
    await service.stopWorker();
    for (const ship of ships.slice(2)) {
      await until(async () => {
        const { events } = await handle(`Ship/${ship}`).fetchHistory();
        expect(events?.some(({ timerFiredEventAttributes: fired }) => fired)).toBe(true);
      });
      await handle(`Ship/${ship}`).terminate();
    }
    await service.startWorker();
    await until(async () => expect((await fleet('late')).state).toBe('Degraded'), WITHIN_MS);
  });
});

describe('the keeper', () => {
  it('replays on the code that made it (S4.1a)', async () => {
    const history = await handle(keeperWorkflowId('reeve')).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: service.workflowBundle }, history, keeperWorkflowId('reeve'));
  });

  it('is one for a task queue, however many workers start, and not an entity (S4.4)', async () => {
    const running = async () => {
      const list = service.environment.client.workflow.list({ query: `WorkflowType = 'Keeper'` });
      const ids: string[] = [];
      for await (const { workflowId, status } of list) if (status.name === 'RUNNING') ids.push(workflowId);
      return ids;
    };
    await service.stopWorker();
    await service.startWorker();
    await until(async () => expect(await running()).toEqual([keeperWorkflowId('reeve')]));
  });
});
