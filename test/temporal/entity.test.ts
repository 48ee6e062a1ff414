import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rejected } from '../../src/protocol/errors.js';
import { Box, Room } from '../entities/box.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const shelf = new Shelf();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
  });
});
afterAll(async () => service.close());

const box = (key: string) => ({ type: 'Box', key });
const read = async (key: string) => (await service.reeve.read(box(key))).snapshot;
const handle = (id: string) => service.environment.client.workflow.getHandle(id);
/** How many events the history has, once all messages are delivered, all operations ended, and the worker is idle. */
const historyAtRest = (id: string) =>
  until(async () => {
    const { events } = await handle(id).fetchHistory();
    const count = (part: keyof NonNullable<typeof events>[number]) => events!.filter((event) => event[part]).length;
    expect(count('externalWorkflowExecutionSignaledEventAttributes')).toBe(
      count('signalExternalWorkflowExecutionInitiatedEventAttributes'),
    );
    expect(count('childWorkflowExecutionCompletedEventAttributes')).toBe(
      count('startChildWorkflowExecutionInitiatedEventAttributes'),
    );
    expect(count('workflowTaskCompletedEventAttributes')).toBe(count('workflowTaskScheduledEventAttributes'));
    return events!.length;
  });
const rejection = async (raised: Promise<unknown>) =>
  raised.then(
    () => {
      throw new Error('it was not rejected');
    },
    (thrown: Rejected) => thrown.rejection,
  );

async function place(key: string): Promise<void> {
  const taken = await service.reeve.create(Box, key, 'place', { label: 'first' });
  expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
}

describe('an entity on a real service', () => {
  it('is created, calls its resource and settles (S4.1)', async () => {
    await place('one');
    expect(await read('one')).toMatchObject({ state: 'Placed', properties: { place: 3, label: 'first' } });
  });

  it('waits for its successors, and its operation ends when all have settled (S4.2, S4.3)', async () => {
    shelf.failures.set('b', 2);
    const taken = await service.reeve.create(Room, 'hall', 'furnish', { boxes: ['a', 'b', 'c'] });
    const result = await service.reeve.operations.result(taken);
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    expect(result.participants.map(({ type, key, state }) => `${type}/${key} ${state}`).sort()).toEqual([
      'Box/a Placed',
      'Box/b Placed',
      'Box/c Placed',
      'Room/hall Ready',
    ]);
    const gone = await service.reeve.operations.result(await service.reeve.raise(Room, 'hall', 'empty'));
    expect(gone.outcome).toBe('success');
    expect((await service.reeve.read(box('a'))).gone).toBe(true);
  });

  it('answers what settles at once in the answer itself, without an operation', async () => {
    await place('quick');
    const taken = await service.reeve.raise(Box, 'quick', 'relabel', { label: 'new' }, { requestId: 'quick-relabel' });
    expect(taken.answer).toMatchObject({ status: 'accepted', outcome: { state: 'Placed' } });
    await expect(handle('op/quick-relabel').describe()).rejects.toThrow(/not found/i);
    const looked = await service.reeve.raise(Box, 'quick', 'look');
    expect(looked.answer).toMatchObject({ status: 'accepted', outcome: { state: 'Placed' } });
    expect((await read('quick')).properties).toMatchObject({ label: 'new', place: 50 });
  });

  it('fails an action whose inline call fails, with the code of the resource (S3.3, S5.1)', async () => {
    await service.reeve.operations.result(await service.reeve.create(Box, 'lost-pen', 'place', { label: 'x' }));
    const { answer } = await service.reeve.raise(Box, 'lost-pen', 'look');
    expect(answer).toMatchObject({
      status: 'accepted',
      outcome: { error: { kind: 'retryable', code: 'not_on_shelf' } },
    });
  });

  it('tries a failing resource again with one idempotency key, and shows the attempts (S3.4, S3.5)', async () => {
    shelf.failures.set('flaky', 3);
    const taken = await service.reeve.create(Box, 'flaky', 'place', { label: 'x' });
    const seen = await until(async () => {
      const snapshot = await read('flaky');
      expect(snapshot.attempt).toBeGreaterThan(1);
      return snapshot;
    });
    expect(seen.lastError).toEqual({ kind: 'retryable', code: 'shelf_full', message: 'no room for flaky' });
    const result = await service.reeve.operations.result(taken);
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    expect(shelf.keys.get('flaky')).toHaveLength(4);
    expect(new Set(shelf.keys.get('flaky')).size).toBe(1);
  });

  it('ends in its error state after its recovery action, and the operation says why (S1.4, S5.1)', async () => {
    shelf.failures.set('hopeless', 99);
    const taken = await service.reeve.create(Box, 'hopeless', 'place', { label: 'x' });
    const result = await service.reeve.operations.result(taken);
    expect(result).toMatchObject({
      outcome: 'failed',
      participants: [{ key: 'hopeless', state: 'Lost', health: 'error' }],
      errors: [{ entity: 'Box/hopeless', event: 'place', code: 'shelf_full', message: 'no room for hopeless' }],
    });
    expect(shelf.keys.get('hopeless')).toHaveLength(4);
  });

  it('lets its parent see that it failed (S4.3)', async () => {
    shelf.failures.set('lost-box', 99);
    const taken = await service.reeve.create(Room, 'sad', 'furnish', { boxes: ['lost-box', 'good-box'] });
    const result = await service.reeve.operations.result(taken);
    expect(result.outcome).toBe('failed');
    expect((await service.reeve.read({ type: 'Room', key: 'sad' })).snapshot.state).toBe('Failed');
  });

  it('makes a TypeError in an action a failed action, which changes nothing (S3.2)', async () => {
    await place('breakable');
    const taken = await service.reeve.raise(Box, 'breakable', 'break');
    expect(await service.reeve.operations.result(taken)).toMatchObject({
      outcome: 'failed',
      errors: [{ code: 'defect', message: expect.stringContaining('TypeError') }],
    });
    const snapshot = await read('breakable');
    expect(snapshot).toMatchObject({ state: 'Placed', properties: { label: 'first' } });
    expect(snapshot.lastError?.stack).toContain('workflows.ts');
  });

  it('gives the first answer to a request that is repeated after the entity was deleted (S1.3, S2.5)', async () => {
    await place('recalled');
    const remove = async (requestId: string) => service.reeve.raise(Box, 'recalled', 'remove', { requestId });
    const first = await remove('remove-recalled');
    await service.reeve.operations.result(first);
    await until(async () => expect((await service.reeve.read(box('recalled'))).gone).toBe(true));
    const again = await remove('remove-recalled');
    expect(again.answer).toMatchObject({ status: 'accepted', operation: first.answer.operation });
    expect(await rejection(remove('another'))).toMatchObject({ code: 'absent' });
  });

  it('can be created again under its key once it is deleted, as another life (S1.3)', async () => {
    await place('phoenix');
    const first = await read('phoenix');
    await service.reeve.operations.result(await service.reeve.raise(Box, 'phoenix', 'remove'));
    expect((await service.reeve.read(box('phoenix'))).gone).toBe(true);
    expect(await rejection(service.reeve.raise(Box, 'phoenix', 'look'))).toMatchObject({ code: 'absent' });
    await place('phoenix');
    const second = await read('phoenix');
    expect(second.life).not.toBe(first.life);
    expect(second).toMatchObject({ state: 'Placed', version: first.version });
  });
});

describe('an event on a real service', () => {
  it('is rejected with the declared error, and leaves no trace (S2.2)', async () => {
    await place('done');
    const before = await historyAtRest('Box/done');
    expect(await rejection(service.reeve.create(Box, 'done', 'place', { label: 'x' }))).toMatchObject({
      code: 'already_done',
      validNow: ['relabel', 'look', 'break', 'remove'],
    });
    const unknown = 'paint' as 'look';
    expect(await rejection(service.reeve.raise(Box, 'done', unknown))).toMatchObject({
      code: 'unknown_event',
    });
    const wrong = { label: 7 } as unknown as { label: string };
    expect(await rejection(service.reeve.raise(Box, 'done', 'relabel', wrong))).toMatchObject({
      code: 'invalid_parameters',
      issues: [{ path: 'label', message: expect.stringContaining('expected string') }],
    });
    expect(await historyAtRest('Box/done')).toBe(before);
  });

  it('creates nothing when it is rejected at birth (S2.2)', async () => {
    expect(await rejection(service.reeve.create(Box, 'never', 'place', { label: '' }))).toMatchObject({
      code: 'invalid_parameters',
      issues: [{ path: 'label' }],
    });
    expect(await rejection(service.reeve.create(Box, 'never', 'look'))).toMatchObject({ code: 'not_valid' });
    expect(await rejection(service.reeve.create(Box, 'Not A Key', 'place', { label: 'x' }))).toMatchObject({
      code: 'invalid_key',
    });
    await expect(handle('Box/never').describe()).rejects.toThrow(/not found/i);
  });

  it('waits while an action runs; its operation tells that it was rejected in the end (S2.3)', async () => {
    const gate = shelf.hold('held');
    const taken = await service.reeve.create(Box, 'held', 'place', { label: 'x' });
    await until(async () => expect(shelf.keys.get('held')).toHaveLength(1));
    // It would be valid neither here nor in Placed.
    expect(await rejection(service.reeve.create(Box, 'held', 'place', { label: 'y' }))).toMatchObject({
      code: 'already_in_progress',
    });
    const second = await service.reeve.raise(Box, 'held', 'relabel', { label: 'z' });
    expect(second.answer).toMatchObject({ status: 'waiting', behind: 'put' });
    await service.reeve.raise(Box, 'held', 'remove');
    const late = await service.reeve.raise(Box, 'held', 'look');
    expect(late.answer).toMatchObject({ status: 'waiting' });
    gate.open();
    expect(await service.reeve.operations.result(taken)).toMatchObject({ outcome: 'success' });
    expect(await service.reeve.operations.result(second)).toMatchObject({ outcome: 'success' });
    expect(await service.reeve.operations.result(late)).toMatchObject({
      outcome: 'failed',
      rejection: { code: 'gone' },
    });
    expect((await read('held')).properties).toMatchObject({ label: 'z' });
  });

  it('names the running operation when the same is already in progress (S2.2)', async () => {
    shelf.failures.set('slow', 3);
    const taken = await service.reeve.create(Box, 'slow', 'place', { label: 'x' });
    // Between two attempts the entity answers at once.
    const refused = await until(async () => rejection(service.reeve.create(Box, 'slow', 'place', { label: 'y' })));
    expect(refused).toMatchObject({ code: 'already_in_progress', operation: taken.requestId });
    await service.reeve.operations.result(taken);
  });

  it('runs once for one request id (S2.5)', async () => {
    await place('twice');
    const again = { requestId: 'the-same' };
    await service.reeve.raise(Box, 'twice', 'relabel', { label: 'a' }, again);
    const { version } = await read('twice');
    const taken = await service.reeve.raise(Box, 'twice', 'relabel', { label: 'a' }, again);
    expect(taken.answer).toMatchObject({ status: 'accepted', outcome: { version } });
    expect((await read('twice')).version).toBe(version);
    const conflict = service.reeve.raise(Box, 'twice', 'relabel', { label: 'b' }, again);
    expect(await rejection(conflict)).toMatchObject({ code: 'request_conflict' });
  });

  it('is dropped when no worker can take it: its name is reserved, or what it brings is not readable (S1.5a)', async () => {
    await place('poisoned');
    const { workflowService } = service.environment.client;
    const send = (signalName: string, encoding: string, data: string) =>
      workflowService.signalWorkflowExecution({
        ...{ namespace: service.namespace, workflowExecution: { workflowId: 'Box/poisoned' }, signalName },
        input: { payloads: [{ metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data) }] },
      });
    const dropped = async () => (await read('poisoned')).dropped;
    for (const [name, encoding, data] of [
      ['__temporal_x', 'json/plain', '{}'],
      ['relabel', 'json/plain', '{ not json'],
      ['report Ready', 'json/plain', ''],
      ['paint', 'binary/unknown', 'x'],
    ] as const) {
      await send(name, encoding, data);
      await until(async () => expect(await dropped()).toMatchObject({ signal: name, reason: expect.any(String) }));
    }
    expect((await dropped())?.reason).toContain('cannot be read');
    const taken = await service.reeve.raise(Box, 'poisoned', 'relabel', { label: 'after' });
    expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
    const { events } = await handle('Box/poisoned').fetchHistory();
    expect(events!.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
  });

  it('comes as a plain signal too; one that is malformed or not valid is recorded and dropped', async () => {
    await place('signalled');
    await handle('Box/signalled').signal('relabel', { label: 'by signal' });
    await until(async () => expect((await read('signalled')).properties).toMatchObject({ label: 'by signal' }));
    await handle('Box/signalled').signal('relabel', { label: 7 });
    await until(async () => expect((await read('signalled')).dropped).toMatchObject({ signal: 'relabel' }));
    await handle('Box/signalled').signal('report Ready', { nonsense: true });
    await until(async () => expect((await read('signalled')).dropped).toMatchObject({ signal: 'report Ready' }));
    await handle('Box/signalled').signal('paint');
    await until(async () => expect((await read('signalled')).dropped?.reason).toContain("no event 'paint'"));
    expect(await read('signalled')).toMatchObject({ state: 'Placed', properties: { label: 'by signal' } });
  });
});
