import { Worker } from '@temporalio/worker';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WAKE_SIGNAL } from '../../src/protocol/names.js';
import { Box, Room } from '../entities/box.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

/** A run that is younger does not end, since the next one would have to wait. */
const YOUNG_MS = 1_000;
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

const runOf = async (key: string) => (await service.client.workflow.getHandle(`Box/${key}`).describe()).runId;
/** The history of a run that has had its first task. */
const started = (run: string, key: string) =>
  until(async () => {
    const { events = [] } = await service.client.workflow.getHandle(`Box/${key}`, run).fetchHistory();
    expect(events?.some((event) => event.workflowTaskCompletedEventAttributes)).toBe(true);
    return events!;
  });

/** The runs of a box of which the second one is woken too early, and has a task with a refused update `laterMs` after that. */
async function runsOf(key: string, laterMs: number): Promise<readonly string[]> {
  const { reeve, client } = service;
  const handle = client.workflow.getHandle(`Box/${key}`);
  await reeve.operations.result(await reeve.create(Box, key, 'place', { label: 'first' }));
  const runs = [await runOf(key)];
  await delay(YOUNG_MS);
  await handle.signal(WAKE_SIGNAL);
  await until(async () => expect(await runOf(key)).not.toBe(runs[0]));
  runs.push(await runOf(key));
  await started(runs[1]!, key);
  // It is woken while it is too young to end. What is refused then comes when it would be old enough.
  await handle.signal(WAKE_SIGNAL);
  await delay(laterMs);
  await reeve.raise(Box, key, 'relabel', { label: 'second' });
  await until(async () => expect(await runOf(key)).not.toBe(runs[1]));
  expect((await reeve.read({ type: 'Box', key })).snapshot.properties).toMatchObject({ label: 'second' });
  return runs;
}

it('a task with nothing but a refused update decides nothing: no replay has it (L7, Q2)', async () => {
  const { client, workflowBundle } = service;
  // It comes a little earlier or later each time.
  const times = Array.from({ length: 8 }, (_, attempt) => YOUNG_MS * (0.9 + 0.05 * attempt));
  const runs = await Promise.all(
    times.map(async (laterMs, attempt) => {
      const workflowId = `Box/b${attempt}`;
      return (await runsOf(`b${attempt}`, laterMs)).map((run) => ({ workflowId, run }));
    }),
  );
  const histories = await Promise.all(
    runs.flat().map(async ({ workflowId, run }) => ({
      workflowId,
      history: await client.workflow.getHandle(workflowId, run).fetchHistory(),
    })),
  );
  const errors: unknown[] = [];
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, histories)) errors.push(error);
  expect(errors).toEqual(histories.map(() => undefined));
});
