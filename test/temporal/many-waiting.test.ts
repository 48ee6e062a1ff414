import { expect, it } from 'vitest';
import { Box } from '../entities/box.js';
import { startBoxService } from '../support/box-service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const MANY = 120;
/** How many begin in one task at most. */
const IN_A_ROW = 50;

it('an entity takes what came while no worker was up task by task, so that none of them takes too long (S4.1, entity-steps.1)', async () => {
  const service = await startBoxService(new Shelf());
  try {
    await service.reeve.operations.result(await service.reeve.create(Box, 'b', 'place', { label: 'new' }));
    const read = async () => (await service.reeve.read({ type: 'Box', key: 'b' })).snapshot;
    const { version } = await read();
    const { workflow } = service.environment.client;
    const handle = workflow.getHandle('Box/b');
    await service.stopWorker();
    for (let number = 1; number <= MANY; number++) await handle.signal('relabel', { label: String(number) });
    await service.startWorker();
    const done = { version: version + MANY, properties: { label: String(MANY) }, waiting: [] };
    await until(async () => expect(await read()).toMatchObject(done), 240_000);
    const summaries = [];
    for await (const { runId } of workflow.list({ query: `WorkflowId = 'Box/b'` })) {
      const { events } = await workflow.getHandle('Box/b', runId).fetchHistory();
      const timers = events!.filter((event) => event.timerStartedEventAttributes);
      summaries.push(...timers.map(({ userMetadata }) => Buffer.from(userMetadata?.summary?.data ?? []).toString()));
    }
    // One between each task and the next one.
    const ends = summaries.filter((summary) => summary.includes('events that wait'));
    expect(ends.length).toBeGreaterThan(MANY / IN_A_ROW - 1);
  } finally {
    await service.close();
  }
});
