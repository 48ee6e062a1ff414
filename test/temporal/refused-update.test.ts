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

it('a task with nothing but a refused update decides nothing: no replay has it (L7, Q2)', async () => {
  const { reeve, client, workflowBundle } = service;
  for (const key of Array.from({ length: 8 }, (_, n) => `b${n}`)) {
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
    await delay(YOUNG_MS * (0.9 + 0.05 * Number(key.slice(1))));
    await reeve.raise(Box, key, 'relabel', { label: 'second' });
    await until(async () => expect(await runOf(key)).not.toBe(runs[1]));
    for (const run of runs) {
      const history = await client.workflow.getHandle(`Box/${key}`, run).fetchHistory();
      await Worker.runReplayHistory({ workflowBundle }, history, `Box/${key}`);
    }
    expect((await reeve.read({ type: 'Box', key })).snapshot.properties).toMatchObject({ label: 'second' });
  }
});
