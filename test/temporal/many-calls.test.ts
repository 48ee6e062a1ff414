import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { implementResource } from '../../src/temporal/resources.js';
import { Mill, stones } from '../entities/mill.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** More than the 2,000 activities that Temporal lets a workflow have under way. */
const GRAINS = 2_100;

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

describe('an action that makes more calls at once than a workflow may have', () => {
  // Its task failed, and would have done so for ever.
  it('makes each of them once, and goes on', async () => {
    const { reeve } = service;
    await reeve.create(Mill, 'm', 'grind', { grains: GRAINS });
    const read = async () => (await reeve.read({ type: 'Mill', key: 'm' })).snapshot;
    await until(
      async () => expect(await read()).toMatchObject({ state: 'Full', properties: { ground: GRAINS } }),
      240_000,
    );
    expect(new Set(ground).size).toBe(GRAINS);
    const history = await service.client.workflow.getHandle('Mill/m').fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: service.workflowBundle }, history, 'Mill/m');
  });
});
