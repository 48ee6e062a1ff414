import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AHEAD_OF_HISTORY, SNAPSHOT_QUERY } from '../../src/protocol/names.js';
import { replayHistories } from '../../src/temporal/histories.js';
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
/** Gives the timers of an entity's run: those that have ended, and those that have not. */
const timersOf = async (key: string) => {
  const events = (await handle(key).fetchHistory()).events!;
  const fired = events.flatMap(({ timerFiredEventAttributes: each }) => each?.timerId ?? []);
  const canceled = events.flatMap(({ timerCanceledEventAttributes: each }) => each?.timerId ?? []);
  const started = events.flatMap(({ timerStartedEventAttributes: each }) => each?.timerId ?? []);
  return { fired, pending: started.filter((id) => ![...fired, ...canceled].includes(id)) };
};

/** Tasks between the answer to its last inline call and the answer to the event that made it. */
const tasksSinceTheCall = async (key: string) => {
  const events = (await handle(key).fetchHistory()).events!;
  const answered = events.findLastIndex((event) => event.workflowExecutionUpdateCompletedEventAttributes);
  const called = events.findLastIndex((event) => event.markerRecordedEventAttributes);
  expect(answered).toBeGreaterThan(called);
  return events.slice(called, answered).filter((event) => event.workflowTaskCompletedEventAttributes).length;
};
const allReplay = async () => {
  const { workflowBundle } = service;
  const histories = service.environment.client.workflow.list().intoHistories();
  for await (const { workflowId, error } of replayHistories(workflowBundle, histories)) {
    expect(error, workflowId).toBeUndefined();
  }
};

describe('a read that waits for a worker beside a timer that has ended (S4.1a)', () => {
  it('is answered, brings nothing forward, and every history replays', async () => {
    const keys = Array.from({ length: BOXES }, (_, index) => `b${index}`);
    await Promise.all(
      keys.map(async (key) => {
        const taken = await service.reeve.create(Box, key, 'place', { label: 'first' });
        await service.reeve.operations.result(taken);
      }),
    );
    await service.stopWorker();
    const waiting = keys.map(queried);
    // Those that a busy machine let rest before have a new run, without a timer.
    const fired = await until(async () => {
      const timers = await Promise.all(keys.map(timersOf));
      expect(timers.flatMap(({ pending }) => pending)).toEqual([]);
      return timers.flatMap((each) => each.fired);
    });
    expect(fired).not.toEqual([]);
    await service.startWorker();
    // Anything that it would have brought forward is refused, and the read with it; Reeve's own clients ask again.
    for (const said of await Promise.all(waiting)) expect(['answered', AHEAD_OF_HISTORY]).toContain(said);
    const reads = keys.map((key) => service.reeve.read({ type: 'Box', key }));
    for (const { snapshot } of await Promise.all(reads)) expect(snapshot.properties).toMatchObject({ label: 'first' });
    await service.stopWorker();
    await service.startWorker();
    for (const key of keys) {
      const taken = await service.reeve.raise(Box, key, 'relabel', { label: 'third' });
      expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
    }
    await allReplay();
  });
});

describe('a read that comes with the task of an event that makes an inline call (S4.1a, workflow-task.4)', () => {
  it('is answered after the event, and the event has its outcome', async () => {
    const keys = Array.from({ length: BOXES }, (_, index) => `c${index}`);
    for (const key of keys) {
      await service.reeve.operations.result(await service.reeve.create(Box, key, 'place', { label: 'first' }));
    }
    await service.stopWorker();
    // A task waits for a worker, the event and the read come along with it.
    for (const key of keys) await handle(key).signal('utter nonsense', 'nonsense');
    const raised = keys.map((key) => service.reeve.raise(Box, key, 'look'));
    const waiting = keys.map(queried);
    await service.startWorker();
    for (const said of await Promise.all(waiting)) expect(['answered', AHEAD_OF_HISTORY]).toContain(said);
    for (const taken of await Promise.all(raised)) {
      expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
    }
    for (const key of keys) {
      expect(await tasksSinceTheCall(key), key).toBe(0);
      expect((await service.reeve.read({ type: 'Box', key })).snapshot.properties).toMatchObject({ label: 'first' });
    }
    await allReplay();
  });
});
