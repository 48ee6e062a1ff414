import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_ACTIVITIES } from '../../src/definition/limits.js';
import { implementResource } from '../../src/temporal/resources.js';
import { Mill, stones } from '../entities/mill.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** More than a workflow has under way. Temporal lets it have 2,000, and fails its task beyond that. */
const GRAINS = MOST_ACTIVITIES + 100;

type History = Awaited<ReturnType<ReturnType<TestService['client']['workflow']['getHandle']>['fetchHistory']>>;

const ground: number[] = [];
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/mill-workflows.ts',
    declarations: ['entities/mill.ts'],
    entities: [Mill],
    resources: [implementResource(stones, { grind: async ({ grain }) => (ground.push(grain), 1) })],
  });
});
afterAll(async () => service.close());

describe('an action that makes more calls at once than a workflow may have under way', () => {
  it('makes each of them once, some after the others, and goes on', async () => {
    const { reeve } = service;
    await reeve.create(Mill, 'm', 'grind', { grains: GRAINS });
    const read = async () => (await reeve.read({ type: 'Mill', key: 'm' })).snapshot;
    await until(
      async () => expect(await read()).toMatchObject({ state: 'Full', properties: { ground: GRAINS } }),
      240_000,
    );
    expect(new Set(ground).size).toBe(GRAINS);
    const runs = await historiesOf('Mill/m');
    const most = Math.max(...runs.map(mostUnderWay));
    expect(most).toBeGreaterThan(MOST_ACTIVITIES / 2);
    expect(most).toBeLessThanOrEqual(MOST_ACTIVITIES);
    for (const run of runs) {
      await Worker.runReplayHistory({ workflowBundle: service.workflowBundle }, run, 'Mill/m');
    }
  });
});

/** The histories of all its runs, the latest first: on a busy machine, it has rested before anybody looks. */
async function historiesOf(id: string): Promise<readonly History[]> {
  const runs: History[] = [];
  for (let run: string | undefined; ;) {
    const history = await service.client.workflow.getHandle(id, run).fetchHistory();
    runs.push(history);
    run = history.events![0]!.workflowExecutionStartedEventAttributes!.continuedExecutionRunId || undefined;
    if (run === undefined) return runs;
  }
}

function mostUnderWay({ events }: History): number {
  let underWay = 0;
  return Math.max(
    ...events!.map((event) => {
      if (event.activityTaskScheduledEventAttributes) underWay++;
      if (event.activityTaskCompletedEventAttributes) underWay--;
      return underWay;
    }),
  );
}
