import { Worker } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../src/temporal/ask.js';
import { keptBundle } from '../support/shared-bundle.js';
import { sharedTemporalService } from '../support/temporal-service.js';
import { until } from '../support/until.js';

let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  environment = await sharedTemporalService();
});
afterAll(async () => environment.teardown());

/** Runs a workflow in a worker of its own while something is looked at. */
async function during<T>(
  { workflow, callStacks }: { readonly workflow: string; readonly callStacks?: boolean },
  look: (handle: ReturnType<TestWorkflowEnvironment['client']['workflow']['getHandle']>) => Promise<T>,
): Promise<T> {
  const taskQueue = `${workflow} ${callStacks ?? 'as by default'}`;
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    namespace: environment.namespace,
    taskQueue,
    workflowBundle: await keptBundle({
      workflowsPath: fileURLToPath(new URL('../entities/careless-workflows.ts', import.meta.url)),
      ...(callStacks !== undefined && { callStacks }),
    }),
  });
  return worker.runUntil(async () => {
    const handle = await environment.client.workflow.start(workflow, { workflowId: taskQueue, taskQueue });
    const seen = await look(handle);
    await handle.terminate();
    return seen;
  });
}

describe('the call stack of a workflow', () => {
  it('can be asked for where bundles are made so', async () => {
    const stack = await during({ workflow: 'waiting', callStacks: true }, (handle) => ask(handle, '__stack_trace'));
    expect(stack).toContain('careless-workflows.ts');
  });

  it('is not taken otherwise, since that doubles the CPU time of a worker', async () => {
    expect(await during({ workflow: 'waiting' }, (handle) => ask(handle, '__stack_trace'))).toBe('');
  });

  it('is in an error all the same, and an error that nobody handles is that of its workflow alone', async () => {
    const failure = await during({ workflow: 'careless' }, (handle) =>
      until(async () => {
        const { events } = await handle.fetchHistory();
        const failed = events?.find((event) => event.workflowTaskFailedEventAttributes);
        if (!failed) throw new Error('No task has failed yet.');
        return failed.workflowTaskFailedEventAttributes?.failure;
      }),
    );
    expect(failure?.message).toContain('nobody looks');
    expect(failure?.cause?.stackTrace).toContain('careless-workflows.ts');
  });
});
