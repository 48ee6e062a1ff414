import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRequestId } from '../../src/client/new-request-id.js';
import { entityMessageName } from '../../src/protocol/message-names.js';
import { replayHistories } from '../../src/temporal/histories.js';
import { Box, Room } from '../entities/box.js';
import { Candle } from '../entities/candle.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

let service: TestService;
const shelf = new Shelf();

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/timed-workflows.ts',
    declarations: ['entities/box.ts', 'entities/candle.ts'],
    entities: [Box, Room, Candle],
    resources: [shelf.resource],
  });
});
afterAll(() => service.close());

const handle = (id: string) => service.environment.client.workflow.getHandle(id);
const eventsOf = async (id: string) => (await handle(id).fetchHistory()).events ?? [];
const read = async (key: string) => (await service.reeve.read({ type: 'Box', key })).snapshot;

async function place(key: string): Promise<void> {
  await service.reeve.operations.result(await service.reeve.create(Box, key, 'place', { label: 'first' }));
}

/** Lists what people read of timers. */
async function timersOf(id: string): Promise<readonly string[]> {
  const started = (await eventsOf(id)).filter((event) => event.timerStartedEventAttributes);
  return started.map(({ userMetadata }) => {
    const { summary } = userMetadata ?? {};
    return summary ? defaultPayloadConverter.fromPayload<string>(summary) : '';
  });
}

describe("an entity's timeline in Temporal's UI (S5.6)", () => {
  it('says what each message is, where it is sent and where it comes', async () => {
    const taken = await service.reeve.create(Room, 'hall', 'furnish', { boxes: ['in-hall'] });
    await service.reeve.operations.result(taken);
    await service.reeve.operations.result(await service.reeve.raise(Room, 'hall', 'empty'));
    const [room, box, operation] = [
      await eventsOf('Room/hall'),
      await eventsOf('Box/in-hall'),
      await eventsOf(`op/${taken.answer.operation}`),
    ];
    const came = (events: typeof room) =>
      events.flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? []);
    const sent = (events: typeof room) =>
      events.flatMap(({ signalExternalWorkflowExecutionInitiatedEventAttributes: signal }) => signal?.signalName ?? []);
    expect(came(room)).toContain('report Placed');
    expect(sent(box)).toContain('report Placed');
    expect(sent(room)).toContain('raise remove');
    expect(came(box)).toContain('raise remove');
    expect(came(operation)).toEqual(expect.arrayContaining(['ended furnish', 'ended place', 'judged report']));
  });

  it('says which events an update raises', async () => {
    await place('named');
    await service.reeve.raise(Box, 'named', 'relabel', { label: 'one' });
    await Promise.all([
      service.reeve.raise(Box, 'named', 'relabel', { label: 'two' }),
      service.reeve.raise(Box, 'named', 'relabel', { label: 'three' }),
      service.reeve.raise(Box, 'named', 'look'),
    ]);
    const names = (await eventsOf('Box/named')).flatMap(
      ({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted?.acceptedRequest?.input?.name ?? [],
    );
    const raises = names.filter((name) => name !== 'tell outcome');
    expect(raises[0]).toBe('raise relabel');
    expect(['raise relabel', 'raise look', 'raise events']).toEqual(expect.arrayContaining(raises));
  });

  it('refuses an event that its worker does not know, and leaves no trace of it (S2.2)', async () => {
    await place('asked');
    const before = (await eventsOf('Box/asked')).length;
    const update = handle('Box/asked').executeUpdate('raise paint', {
      args: [[{ id: newRequestId(), event: 'paint' }]],
    });
    await expect(update).rejects.toMatchObject({ cause: { type: 'reeve_batch_rejected' } });
    const updates = (await eventsOf('Box/asked'))
      .slice(before)
      .filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
    expect(updates).toEqual([]);
  });

  it('says what each timer is for', async () => {
    await service.reeve.operations.result(await service.reeve.create(Candle, 'lit', 'light'));
    await until(async () =>
      expect((await service.reeve.read({ type: 'Candle', key: 'lit' })).snapshot.state).toBe('Out'),
    );
    const candle = await timersOf('Candle/lit');
    expect(candle).not.toContain('');
    expect(candle).toEqual(expect.arrayContaining([expect.stringMatching(/: flicker$/)]));
    shelf.failures.set('retried', 2);
    await place('retried');
    const box = await timersOf('Box/retried');
    expect(box).toEqual(expect.arrayContaining(['put, attempt 2', 'put, attempt 3']));
    expect(box).not.toContain('');
  });
});

describe('a message of a kind that an entity does not know', () => {
  it('is recorded and dropped, and fails no task (entity-life.3)', async () => {
    await place('steady');
    for (const [name, content] of [
      ['levitate box', { kind: 'levitate' }],
      ['report', undefined],
      ['two words', 'nonsense'],
    ] as const) {
      await handle('Box/steady').signal(name, content);
      await until(async () => expect((await read('steady')).dropped).toMatchObject({ signal: name }));
    }
    const update = handle('Box/steady').executeUpdate('raise', { args: ['nonsense'] });
    await expect(update).rejects.toMatchObject({ cause: { type: 'malformed' } });
    await expect(handle('Box/steady').executeUpdate('levitate box')).rejects.toThrow();
    const failed = (await eventsOf('Box/steady')).filter((event) => event.workflowTaskFailedEventAttributes);
    expect(failed).toEqual([]);
    expect(await read('steady')).toMatchObject({ state: 'Placed', properties: { label: 'first' } });
  });

  it('does no harm by its name: what it says is in its content', async () => {
    await place('renamed');
    const request = { id: 'by-another-name', event: 'relabel', params: { label: 'heard' } };
    await handle('Box/renamed').signal('utter nonsense', { kind: 'raise', key: 'renamed', request });
    await until(async () => expect((await read('renamed')).properties).toMatchObject({ label: 'heard' }));
    expect(entityMessageName({ kind: 'raise', key: 'renamed', request })).toBe('raise relabel');
  });
});

describe('histories with all of that', () => {
  it('replay on the code that has made them (S4.1a, L7)', async () => {
    await place('last');
    for (let index = 0; index < 5; index++) {
      const options = { request: `signal-${index}` };
      await handle('Box/last').signal('relabel', { label: `${index}` }, options);
      await handle('Box/last').signal('relabel', { label: `${index}` }, options);
      await handle('Box/last').signal('relabel', {}, { actor: 'nobody' });
    }
    await until(async () => expect((await read('last')).properties).toMatchObject({ label: '4' }));
    const histories = service.environment.client.workflow.list().intoHistories();
    const { workflowBundle } = service;
    for await (const { workflowId, error } of replayHistories(workflowBundle, histories)) {
      expect(error, workflowId).toBeUndefined();
    }
  });
});
