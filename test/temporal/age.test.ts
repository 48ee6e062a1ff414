import { DeterminismViolationError } from '@temporalio/workflow';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import type { AcceptedEvent } from '../../src/protocol/accepted-event.js';
import type { RecallRequests } from '../../src/client/past-reader.js';
import { sendBatch } from '../../src/client/raise.js';
import { StoreAway } from '../../src/store/writing/availability.js';
import { Box, Room } from '../entities/box.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

/** More than one block of the older requests that it remembers. */
const EVENTS = 1_600;
/** So many in a batch that the history alone would need no new run. */
const BATCH = 200;
const RESTING_HISTORY = 20;

const shelf = new Shelf();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/age-workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
  });
});
afterAll(async () => service.close());

const box = (key: string) => ({ type: 'Box', key });
const handle = (key: string) => service.environment.client.workflow.getHandle(`Box/${key}`);
const read = async (key: string) => (await service.reeve.read(box(key))).snapshot;
const runOf = async (key: string) => (await handle(key).describe()).runId;

async function place(key: string): Promise<void> {
  const taken = await service.reeve.create(Box, key, 'place', { label: 'first' });
  expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
}

type Events = NonNullable<Awaited<ReturnType<ReturnType<typeof handle>['fetchHistory']>>['events']>;
/** A mark is a timer, too, which ends in a hundred years. */
const A_DAY_S = 86_400;

function isWaking({ timerStartedEventAttributes: timer }: Events[number]): boolean {
  return timer ? Number(timer.startToFireTimeout?.seconds ?? 0) < A_DAY_S : false;
}

/** Waits until the entity rests in another run than the given one. Gives the history of its new run. */
async function compacted(key: string, run: string) {
  await until(async () => expect(await runOf(key)).not.toBe(run));
  return until(async () => {
    const { events = [] } = await handle(key).fetchHistory();
    expect(events?.some((event) => event.workflowTaskCompletedEventAttributes)).toBe(true);
    return events!;
  });
}

describe('an entity that has had 1,600 events (Q1)', () => {
  // So long that they do not fit into one run.
  const label = (index: number) => `label ${index} `.padEnd(1_800, '.');
  const request = (index: number, text = label(index)) => ({
    id: `old-${index}`,
    event: 'relabel',
    params: { label: text },
  });

  it('has lost none, kept its history short, and knows the first request (S2.5)', { timeout: 180_000 }, async () => {
    await place('old');
    const { version } = await read('old');
    const runs = new Set<string>();
    let sent = 0;
    // A worker that takes the entity over makes all transitions of a run again, and has 10 s for that, so a long run has to end.
    // No run ends before it is 1 s old, and a quick machine takes all 1,600 within that.
    for (; sent < EVENTS || runs.size < 2; sent += BATCH) {
      const requests = Array.from({ length: BATCH }, (_, offset) => request(sent + offset));
      const answers = await sendBatch(service.environment.client, box('old'), requests);
      expect(answers.map((answer) => answer.status === 'accepted' && answer.outcome?.version)).toEqual(
        requests.map((_, offset) => version + sent + offset + 1),
      );
      const { runId, historyLength } = await handle('old').describe();
      runs.add(runId);
      expect(historyLength).toBeLessThan(550);
    }

    const snapshot = await read('old');
    expect(snapshot).toMatchObject({ version: version + sent, properties: { label: label(sent - 1) } });
    const again = await sendBatch(service.environment.client, box('old'), [
      request(0),
      request(EVENTS / 2),
      request(1, 'other'),
    ]);
    expect(again).toMatchObject([
      { status: 'accepted', operation: 'old-0', repeated: true, longAgo: true },
      { status: 'accepted', longAgo: true },
      { status: 'rejected', rejection: { code: 'request_conflict' } },
    ]);
    expect((await read('old')).version).toBe(version + sent);

    // Its worker asks no store; a client that does tells the outcome and when it was. S2.5
    const outcome = { state: 'Placed', version: version + 1, health: 'normal', waiting: false } as const;
    const asked = {
      entity: box('old'),
      event: 'relabel',
      requestId: 'old-0',
      answer: again[0] as AcceptedEvent['answer'],
    };
    const askedBy = (recall?: RecallRequests) => {
      const { client } = service.environment;
      return new ReeveClient({ client, entities: [Box, Room], ...(recall && { recall }) }).operations;
    };
    const known = { event: 'relabel', fingerprint: '', life: '', outcome, startedAt: 5, endedAt: 7 };
    const told = askedBy(async ({ ids }) => ({
      requests: ids.map((id) => ({ ...known, id, operation: id })),
      earlierLives: false,
    }));
    expect(await told.result(asked)).toMatchObject({
      ...{ id: 'old-0', outcome: 'success', startedAt: 5, endedAt: 7, errors: [] },
      participants: [{ key: 'old', state: 'Placed', version: version + 1 }],
    });
    expect(await told.read('old-0', box('old'))).toMatchObject({ state: 'settled', outcome });
    const away = askedBy(async () => {
      throw new StoreAway('it is gone');
    });
    await expect(away.result(asked)).rejects.toMatchObject({ code: 'try_again' });
    await expect(askedBy().result(asked)).rejects.toMatchObject({ code: 'outcome_unknown' });
  });
});

describe('an entity at rest (Q1)', () => {
  it('goes on in a new run with a short history, and rests there without a timer that wakes it', async () => {
    await place('rested');
    const [before, run] = [await read('rested'), await runOf('rested')];
    const events = await compacted('rested', run);
    expect(events.length).toBeLessThan(RESTING_HISTORY);
    expect(events.filter(isWaking)).toEqual([]);
    expect(await read('rested')).toEqual(before);
  });

  it('takes its search attributes along, and does not write them again (S5.2)', async () => {
    await place('found');
    const events = await compacted('found', await runOf('found'));
    expect(events.filter((event) => event.upsertWorkflowSearchAttributesEventAttributes)).toEqual([]);
    const { searchAttributes } = await handle('found').describe();
    expect(searchAttributes).toMatchObject({ ReeveState: ['Placed'], ReeveHealth: ['normal'], ReeveSettled: [true] });
  });

  it('starts one timer for many events', async () => {
    await place('busy');
    const startedAt = Date.now();
    for (let index = 0; index < 20; index++) await service.reeve.raise(Box, 'busy', 'relabel', { label: `${index}` });
    const { events = [] } = await handle('busy').fetchHistory();
    const count = events!.filter((event) => event.timerStartedEventAttributes).length;
    const seconds = (Date.now() - startedAt) / 1_000;
    expect(count).toBeGreaterThan(0);
    // One in each second of rest that could have come, and the first.
    expect(count).toBeLessThan(seconds + 2);
  });

  it('is taken over by a worker with other actions, which could not have replayed the old ones', async () => {
    await place('upgraded');
    await service.reeve.raise(Box, 'upgraded', 'relabel', { label: 'by the old version' });
    const run = await runOf('upgraded');
    await compacted('upgraded', run);

    const workflowBundle = await service.replaceWorker('entities/changed-workflows.ts');
    const { client } = service.environment;
    const oldRun = await client.workflow.getHandle('Box/upgraded', run).fetchHistory();
    await expect(Worker.runReplayHistory({ workflowBundle }, oldRun, 'Box/upgraded')).rejects.toThrow(
      DeterminismViolationError,
    );
    const taken = await service.reeve.raise(Box, 'upgraded', 'relabel', { label: 'by the new version' });
    expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
    expect((await read('upgraded')).properties).toEqual({
      label: 'by the new version',
      place: 'upgraded-moved'.length,
    });
  });
});
