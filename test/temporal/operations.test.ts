import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { implementResource } from '../../src/temporal/resources.js';
import { Batch, Floor, Job, machines, Plan } from '../entities/job.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const SUCCESSORS = Number(process.env['SUCCESSORS'] ?? 100);
/** Machines that work until they are let go, or told to stop. */
const held = new Map<string, () => void>();
const stopped: string[] = [];
let service: TestService;

beforeAll(async () => {
  const resource = implementResource(machines, {
    work: async ({ on }, { signal }) => {
      if (!on.startsWith('held')) return {};
      await new Promise<void>((resolve) => {
        held.set(on, resolve);
        signal.addEventListener('abort', () => {
          stopped.push(on);
          resolve();
        });
      });
      return {};
    },
  });
  service = await startTestService({
    workflows: 'entities/job-workflows.ts',
    declarations: ['entities/job.ts'],
    entities: [Job, Batch, Plan, Floor],
    resources: [resource],
  });
});
afterAll(async () => service.close());

const read = async (type: string, key: string) => (await service.reeve.read({ type, key })).snapshot;

describe('an operation on a real service', () => {
  it('lets an action wait for all that its event has set off (S4.2)', async () => {
    const taken = await service.reeve.create(Plan, 'p', 'carryOut', { jobs: ['held-p', 'quick-p'] });
    await until(async () => expect(held.has('held-p')).toBe(true));
    expect((await read('Batch', 'p')).state).toBe('Running');
    expect((await read('Plan', 'p')).running?.awaits).toMatchObject([{ on: 'Batch/p', event: 'run' }]);
    held.get('held-p')!();
    expect(await service.reeve.operations.result(taken)).toMatchObject({ outcome: 'success', errors: [] });
    expect((await read('Plan', 'p')).properties).toEqual({ batch: 'Finished' });
  });

  it('needs no workflow where its only entity settles while its caller waits (S4.7)', async () => {
    await service.reeve.operations.result(await service.reeve.create(Job, 'soon', 'start'));
    const done = await service.reeve.perform(Job, 'soon', 'start', { requestId: 'soon-again' });
    expect(done).toMatchObject({
      id: 'soon-again',
      outcome: 'success',
      participants: [{ key: 'soon', state: 'Done' }],
    });
    expect((await read('Job', 'soon')).properties).toEqual({ runs: 2 });
    const handle = service.environment.client.workflow.getHandle('op/soon-again');
    await expect(handle.describe()).rejects.toThrow(/not found/i);
  });

  it('has a workflow where its only entity takes longer than its caller waits (S4.7)', async () => {
    const raised = service.reeve.create(Job, 'held-l', 'start', { requestId: 'long' });
    const result = service.reeve.operations.result(await raised);
    const status = await until(() => service.reeve.operations.status('long'));
    expect(status).toMatchObject({ outcome: 'running', root: { key: 'held-l', event: 'start' } });
    await until(async () => expect(held.has('held-l')).toBe(true));
    held.get('held-l')!();
    expect(await result).toMatchObject({ id: 'long', outcome: 'success' });
  });

  it('is cancelled: what runs is aborted, its call hears of it, and the outcome says so (S3.2, S4.7)', async () => {
    const taken = await service.reeve.create(Batch, 'c', 'run', { jobs: ['held-c', 'quick-c'] });
    await until(async () => expect(held.has('held-c')).toBe(true));
    await service.reeve.operations.cancel(taken.answer.operation);
    expect(await service.reeve.operations.result(taken)).toMatchObject({ outcome: 'canceled', errors: [] });
    expect((await read('Job', 'held-c')).state).toBe('Stopped');
    expect((await read('Batch', 'c')).state).toBe('Finished');
    await until(async () => expect(stopped).toContain('held-c'));
  });

  it('shows in the list of what runs from its start, and writes its search attributes once, when it ends (S5.2)', async () => {
    const { client } = service.environment;
    const taken = await service.reeve.create(Job, 'held-s', 'start');
    await until(async () => expect(held.has('held-s')).toBe(true));
    const handle = client.workflow.getHandle(`op/${taken.answer.operation}`);
    const { searchAttributes } = await until(() => handle.describe());
    expect(searchAttributes).toMatchObject({ ReeveOperation: [taken.answer.operation], ReeveOutcome: ['running'] });
    held.get('held-s')!();
    await service.reeve.operations.result(taken);
    expect((await handle.describe()).searchAttributes).toMatchObject({ ReeveOutcome: ['success'] });
    const { events = [] } = await handle.fetchHistory();
    expect(events?.filter((event) => event.upsertWorkflowSearchAttributesEventAttributes)).toHaveLength(1);
  });

  it(`ends when the last of ${SUCCESSORS} successors has (S4.2)`, async () => {
    const jobs = Array.from({ length: SUCCESSORS }, (_, index) => `job-${index}`);
    const result = await service.reeve.operations.result(await service.reeve.create(Batch, 'large', 'run', { jobs }));
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    expect(result.participants.filter(({ state }) => state === 'Done')).toHaveLength(SUCCESSORS);
  });

  it('ends when a tower of 20 has been built, one resting for the next (S4.2)', async () => {
    const result = await service.reeve.operations.result(
      await service.reeve.create(Floor, 'ground', 'build', { depth: 20 }),
    );
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    expect(result.participants).toHaveLength(20);
  });
});
