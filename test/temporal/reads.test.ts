import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AHEAD_OF_HISTORY, SNAPSHOT_QUERY } from '../../src/protocol/names.js';
import { Box, Room } from '../entities/box.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const BOXES = 8;

const shelf = new Shelf();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/resting-workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
  });
});
afterAll(async () => service.close());

const handle = (key: string) => service.environment.client.workflow.getHandle(`Box/${key}`);
const queried = async (key: string) => {
  try {
    await handle(key).query(SNAPSHOT_QUERY);
    return 'answered';
  } catch (thrown) {
    return (thrown as Error).message;
  }
};
/** The timer by which it rests has ended, and nobody has had the task. */
const isOver = async (key: string) => {
  const { events } = await handle(key).fetchHistory();
  return events!.some(({ timerFiredEventAttributes: fired }) => fired !== undefined && fired !== null);
};

describe('a read that waits for a worker beside a timer that has ended (S4.1a)', () => {
  it('is answered, brings nothing forward, and every history replays', { timeout: 120_000 }, async () => {
    const keys = Array.from({ length: BOXES }, (_, index) => `b${index}`);
    for (const key of keys) {
      const taken = await service.reeve.create(Box, key, 'place', { label: 'first' });
      await service.reeve.operations.result(taken);
    }
    await service.stopWorker();
    const waiting = keys.map(queried);
    await until(async () => {
      for (const key of keys) expect(await isOver(key)).toBe(true);
    });
    await service.startWorker();
    // What it would have brought forward is refused, and the read with it; Reeve's own clients ask again.
    for (const said of await Promise.all(waiting)) expect(['answered', AHEAD_OF_HISTORY]).toContain(said);
    const reads = keys.map((key) => service.reeve.read({ type: 'Box', key }));
    for (const { snapshot } of await Promise.all(reads)) expect(snapshot.properties).toMatchObject({ label: 'first' });
    await service.stopWorker();
    await service.startWorker();
    for (const key of keys) {
      const taken = await service.reeve.raise(Box, key, 'relabel', { label: 'third' });
      expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
    }
    const { workflowBundle } = service;
    const sinks = { reeve: { offer: { fn: () => undefined, callDuringReplay: false } } };
    const histories = service.environment.client.workflow.list().intoHistories();
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle, sinks }, histories)) {
      expect(error, workflowId).toBeUndefined();
    }
  });
});
