import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulate } from '../../src/simulation/index.js';
import { FirstSubscriber, firstSubscriber, Subscriber, subscriber } from '../entities/subscriber.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { comesToNewerSchema, type MigrationPlane } from './migration.js';

describe('conformance in the simulator', () => {
  it('Q2 an entity comes to a newer schema, and goes on with it [simulator]', async () => {
    const sim = simulate([firstSubscriber], { restAfter: '5s' });
    const plane: MigrationPlane = {
      async subscribe(key) {
        await sim.create(FirstSubscriber, key, 'subscribe', { name: 'Ann' });
        await sim.advance('1s');
      },
      async raise(_, event, params, requestId) {
        const { answer } = await sim.raiseAny(Subscriber, 'ann', event, { params, requestId });
        await sim.advance('1s');
        return answer;
      },
      read: async (key) => sim.read(Subscriber, key),
      async moveOn() {
        sim.replace([subscriber]);
        await sim.advance('15s');
      },
    };
    await comesToNewerSchema(plane, 'ann');
  });
});

describe('conformance on Temporal', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      workflows: 'entities/first-subscriber-workflows.ts',
      declarations: ['entities/subscriber.ts'],
      entities: [Subscriber],
      resources: [],
    });
  });
  afterAll(async () => service.close());

  const handle = (key: string) => service.environment.client.workflow.getHandle(`Subscriber/${key}`);
  const events = async (key: string) => (await handle(key).fetchHistory()).events ?? [];
  /** Waits until it rests in a run of its own, which the worker at hand has begun. */
  const atRest = async (key: string, before: string) =>
    until(async () => {
      expect((await handle(key).describe()).runId).not.toBe(before);
      expect((await events(key)).some((event) => event.workflowTaskCompletedEventAttributes)).toBe(true);
    });
  const failure = (key: string) =>
    until(async () => {
      const failed = (await events(key)).findLast((event) => event.workflowTaskFailedEventAttributes);
      expect(failed).toBeDefined();
      return failed!.workflowTaskFailedEventAttributes!.failure!.message!;
    });
  /** Begins the run again that has done nothing yet. */
  const beginAgain = async (key: string) => {
    const { runId } = await handle(key).describe();
    const completed = (await events(key)).find((event) => event.workflowTaskCompletedEventAttributes)!;
    await service.environment.client.workflowService.resetWorkflowExecution({
      namespace: service.namespace,
      workflowExecution: { workflowId: `Subscriber/${key}`, runId },
      reason: 'new build',
      requestId: `${key}-${runId}`,
      workflowTaskFinishEventId: completed.eventId!,
    });
  };

  it('Q2 an entity comes to a newer schema, and goes on with it [Temporal]', { timeout: 300_000 }, async () => {
    const plane: MigrationPlane = {
      async subscribe(key) {
        const taken = await service.reeve.createAny(FirstSubscriber, key, 'subscribe', { params: { name: 'Ann' } });
        await service.reeve.operations.result(taken);
      },
      async raise(key, event, params, requestId) {
        const taken = await service.reeve.raiseAny(Subscriber, key, event, { params, requestId });
        await service.reeve.operations.result(taken);
        return taken.answer;
      },
      read: async (key) => (await service.reeve.read({ type: 'Subscriber', key })).snapshot,
      async moveOn(key) {
        const { runId } = await handle(key).describe();
        await atRest(key, runId);

        // A build meets a run that an older one has begun: the task fails, and says what to do.
        await service.replaceWorker('entities/broken-subscriber-workflows.ts');
        await handle(key).signal('leave_a_note');
        expect(await failure(key)).toMatch(
          /Subscriber\/ann is in a run that a build with schema 1 of Subscriber has begun\. This build has schema 3/,
        );
        await until(async () => {
          const { stuck } = await service.reeve.explain({ type: 'Subscriber', key });
          const remedy = expect.stringContaining(
            `temporal workflow reset -w Subscriber/${key} --type FirstWorkflowTask`,
          );
          expect(stuck).toMatchObject([{ reason: 'task_fails', whatToDo: remedy }]);
        });
        // It begins the run itself, and its migration throws: the entity stays as it was.
        await beginAgain(key);
        await until(async () => expect(await failure(key)).toContain("its migration throws 'no such plan'"));
        // A mended build goes on.
        await service.replaceWorker('entities/subscriber-workflows.ts');
        await until(async () =>
          expect((await service.reeve.read({ type: 'Subscriber', key })).snapshot.schema).toBe(3),
        );
      },
    };
    await comesToNewerSchema(plane, 'ann');
  });
});
