import type { Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReevePlugin } from '../../src/exports/plugin.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { Box } from '../entities/box.js';
import { sharedBundle } from '../support/shared-bundle.js';
import { Shelf } from '../support/shelf.js';
import { sharedTemporalService } from '../support/temporal-service.js';
import { until } from '../support/until.js';

const path = (name: string) => fileURLToPath(new URL(`../entities/${name}.ts`, import.meta.url));
const shelf = new Shelf();

type Environment = Awaited<ReturnType<typeof sharedTemporalService>>;
let serving: Environment;
let calling: Environment;
let callers: Client;
let endpoint: string;
const workers: Worker[] = [];
let running: Promise<unknown>;

beforeAll(async () => {
  [serving, calling] = await Promise.all([sharedTemporalService(), sharedTemporalService()]);
  callers = calling.client;
  const { namespace } = serving.client.options;
  endpoint = `boxes-of-${namespace}`;
  await registerSearchAttributes(serving.connection, namespace);
  await serving.connection.operatorService.createNexusEndpoint({
    spec: { name: endpoint, target: { worker: { namespace, taskQueue: 'boxes' } } },
  });
  workers.push(
    await Worker.create({
      ...{ connection: serving.nativeConnection, namespace, taskQueue: 'boxes' },
      workflowBundle: await sharedBundle({
        workflows: 'entities/beside-workflows.ts',
        declarations: ['entities/box.ts'],
      }),
      shutdownGraceTime: '1s',
      plugins: [new ReevePlugin({ resources: [shelf.resource], nexus: [Box] })],
    }),
    await Worker.create({
      ...{ connection: calling.nativeConnection, namespace: callers.options.namespace, taskQueue: 'orders' },
      workflowsPath: path('caller-workflows'),
    }),
  );
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await Promise.all([serving, calling].map((environment) => environment.teardown()));
});

const execute = (type: string, key: string): Promise<unknown> =>
  callers.workflow.execute(type, { workflowId: `${type} ${key}`, taskQueue: 'orders', args: [endpoint, key] });

/** The activities of the one workflow that stands behind an operation now. */
async function activities(): Promise<readonly unknown[]> {
  const { workflow } = serving.client;
  const running = workflow.list({ query: "WorkflowType = 'reeveEvent' AND ExecutionStatus = 'Running'" });
  const events = [];
  for await (const { history } of running.intoHistories()) events.push(...((history as History).events ?? []));
  return events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? []);
}

describe('operations of Nexus, called from another namespace', () => {
  it('pass a request to cancel on to the operation, whose entities decide', async () => {
    const gate = shelf.hold('withdrawn');
    const withdrawn = execute('withdraw', 'withdrawn');
    // It is held until the entity was asked.
    const asked = ['reeve.cancel', 'reeve.result'];
    await until(async () => expect((await activities()).slice(-2)).toEqual(asked));
    gate.open();
    expect(await withdrawn).toEqual({ outcome: 'success', refusedBy: ['Box/withdrawn'] });
  });
});
