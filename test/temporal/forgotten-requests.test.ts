import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { sendBatch } from '../../src/client/raise.js';
import { timeOfId } from '../../src/protocol/request-id.js';
import { Box, Room } from '../entities/box.js';
import { MemoryKeeper } from '../support/memory-keeper.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const shelf = new Shelf();
const keeper = new MemoryKeeper();
let service: TestService;
let reeve: ReeveClient;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/forgetful-workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
    records: keeper,
  });
  const recall = (question: Parameters<MemoryKeeper['recall']>[0]) => keeper.recall(question);
  reeve = new ReeveClient({ client: service.client, entities: [Box, Room], recall });
});
afterAll(async () => service.close());

const box = (key: string) => ({ type: 'Box', key });
const read = async (key: string) => (await reeve.read(box(key))).snapshot;
const send = (key: string, ...requests: { id: string; event: string; params?: unknown }[]) =>
  sendBatch(service.environment.client, box(key), requests);
const relabel = (id: string, label = id) => ({ id, event: 'relabel', params: { label } });

async function place(key: string): Promise<void> {
  const taken = await reeve.create(Box, key, 'place', { label: 'first' });
  expect((await reeve.operations.result(taken)).outcome).toBe('success');
}

/** Raises so many that all before them are forgotten. */
async function age(key: string, from: number): Promise<void> {
  for (let index = from; index < from + 10; index++) await send(key, relabel(`${key}-${index}`));
}

/** Everything has reached the store. */
async function rested(key: string): Promise<void> {
  const run = () => service.environment.client.workflow.getHandle(`Box/${key}`).describe();
  const { runId } = await run();
  await until(async () => expect((await run()).runId).not.toBe(runId));
}

describe('a request that the entity has forgotten (S2.5)', () => {
  it('gets its first outcome from the store, before and after history rollover, and runs nothing', async () => {
    await place('old');
    const [first] = await send('old', relabel('mine'));
    expect(first).toMatchObject({ status: 'accepted', outcome: { state: 'Placed' } });
    await age('old', 0);
    const { version, ledger } = await read('old');
    expect(ledger.forgotten).toBeGreaterThan(5);
    const outcome = first?.status === 'accepted' && first.outcome;
    const known = { status: 'accepted', operation: 'mine', repeated: true, outcome };
    expect(await send('old', relabel('mine'))).toEqual([known]);
    await rested('old');
    expect(await send('old', relabel('mine'))).toEqual([known]);
    const [conflict] = await send('old', relabel('mine', 'another'));
    expect(conflict).toMatchObject({ status: 'rejected', rejection: { code: 'request_conflict' } });
    // Also where the event would not be valid now.
    const again = await send('old', { id: 'mine', event: 'place', params: { label: 'first' } });
    expect(again).toMatchObject([{ rejection: { code: 'request_conflict' } }]);
    expect(await read('old')).toMatchObject({ version, properties: { label: 'old-9' } });
  });

  it('is asked for with others of its batch, and a new one by its time not at all', async () => {
    await place('busy');
    await age('busy', 0);
    const asked = keeper.questions.length;
    const batch = ['busy-0', 'new-a', 'busy-1', 'new-b'].map((id) => relabel(id));
    const answers = await send('busy', ...batch);
    expect(answers.map((answer) => answer.status === 'accepted' && answer.repeated === true)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(keeper.questions[asked]).toEqual(expect.arrayContaining(['new-a', 'new-b']));
    const questions = keeper.questions.length;
    const taken = await reeve.raise(Box, 'busy', 'relabel', { label: 'fresh' });
    expect(Math.abs(timeOfId(taken.requestId)! - Date.now())).toBeLessThan(60_000);
    expect(keeper.questions).toHaveLength(questions);
  });

  it('is to be tried again while the store is unavailable; others go on meanwhile', async () => {
    await place('cut-off');
    await age('cut-off', 0);
    keeper.away = true;
    try {
      const answers = await send('cut-off', relabel('cut-off-0'));
      expect(answers).toMatchObject([{ status: 'rejected', rejection: { code: 'try_again', entity: 'Box/cut-off' } }]);
      const taken = await reeve.raise(Box, 'cut-off', 'relabel', { label: 'fresh' });
      expect(taken.answer).toMatchObject({ status: 'accepted', outcome: { state: 'Placed' } });
    } finally {
      keeper.away = false;
    }
    expect(await send('cut-off', relabel('cut-off-0'))).toMatchObject([{ status: 'accepted', repeated: true }]);
  });
});

describe('a key whose last life Temporal has not kept (S1.3, S2.5)', () => {
  it('begins no other life by a request that the last one has had', async () => {
    const placed = () => reeve.create(Box, 'lost', 'place', { label: 'x' }, { requestId: 'lost-place' });
    expect((await reeve.operations.result(await placed())).outcome).toBe('success');
    await rested('lost');
    const { life } = await read('lost');
    const { workflowService } = service.environment.connection;
    const workflowExecution = { workflowId: 'Box/lost' };
    await service.environment.client.workflow.getHandle('Box/lost').terminate();
    await workflowService.deleteWorkflowExecution({ namespace: service.namespace, workflowExecution });
    const description = () => service.environment.client.workflow.getHandle('Box/lost').describe();
    // The service deletes it in its own time.
    await until(async () => expect(description()).rejects.toThrow(/not found/));

    expect((await placed()).answer).toMatchObject({ status: 'accepted', operation: 'lost-place', repeated: true });
    await expect(description()).rejects.toThrow(/not found/);
    await reeve.operations.result(await reeve.create(Box, 'lost', 'place', { label: 'x' }));
    expect((await read('lost')).life).not.toBe(life);
    expect(await send('lost', { id: 'lost-place', event: 'place', params: { label: 'x' } })).toMatchObject([
      { status: 'accepted', repeated: true },
    ]);
  });
});
