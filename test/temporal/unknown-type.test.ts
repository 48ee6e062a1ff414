import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Kiln, Pottery } from '../entities/kiln.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/pottery-workflows.ts',
    declarations: ['entities/bank.ts', 'entities/box.ts', 'entities/kiln.ts'],
    entities: [Kiln, Pottery],
    resources: [new Shelf().resource],
  });
});
afterAll(async () => service.close());

/** The last task of a workflow that has failed. */
async function lastTaskFailure(workflowId: string) {
  const { events } = await service.environment.client.workflow.getHandle(workflowId).fetchHistory();
  const [failed] = (events ?? []).flatMap((event) => event.workflowTaskFailedEventAttributes ?? []);
  return failed?.failure ?? undefined;
}

describe('a type that the worker does not know', () => {
  it('loses nothing that was accepted, from outside or by an entity: a worker that knows it goes on (S4.1, Q2)', async () => {
    const one = await service.reeve.create(Kiln, 'one', 'fire');
    const pottery = await service.reeve.create(Pottery, 'new', 'found', { kilns: ['two'] });
    for (const key of ['one', 'two']) {
      const failure = await until(async () => {
        const found = await lastTaskFailure(`Kiln/${key}`);
        expect(found).toBeDefined();
        return found;
      });
      expect(failure?.message).toMatch(
        /^A worker of the task queue 'reeve' \(build .+\) has no entity type 'Kiln'\. It has: Pottery\. Temporal retries the task\. /,
      );
      const { status } = await service.environment.client.workflow.getHandle(`Kiln/${key}`).describe();
      expect(status.name).toBe('RUNNING');
    }
    await service.replaceWorker('entities/explain-workflows.ts');
    for (const taken of [one, pottery]) {
      expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
    }
    for (const key of ['one', 'two']) {
      expect((await service.reeve.read({ type: 'Kiln', key })).snapshot.state).toBe('Fired');
    }
  });
});
