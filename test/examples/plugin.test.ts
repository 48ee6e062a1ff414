import type { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { theatreWorker } from '../../examples/plugin/worker.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { sharedBundle } from '../support/shared-bundle.js';
import { sharedTemporalService } from '../support/temporal-service.js';

let environment: Awaited<ReturnType<typeof sharedTemporalService>>;
let worker: Worker | undefined;
let running: Promise<void>;

beforeAll(async () => {
  environment = await sharedTemporalService();
  const { connection, nativeConnection, client } = environment;
  const { namespace } = client.options;
  await registerSearchAttributes(connection, namespace);
  const workflowBundle = await sharedBundle({
    workflows: '../examples/plugin/workflows.ts',
    declarations: ['../examples/plugin/seat.ts'],
  });
  worker = await theatreWorker({ workflowBundle }, { connection: nativeConnection, namespace });
  running = worker.run();
});
afterAll(async () => {
  worker?.shutdown();
  await running;
  await environment.teardown();
});

const buy = (customer: string, seat: string): Promise<unknown> => {
  const workflowId = `buy-${seat}-${customer}`;
  return environment.client.workflow.execute('buy', { taskQueue: 'theatre', workflowId, args: [customer, seat] });
};

describe('examples/plugin', () => {
  it('sells a seat once, whoever wants it', async () => {
    const answers = await Promise.all(['ann', 'cleo', 'dan'].map((customer) => buy(customer, 'stalls-1')));
    expect(answers.filter((answer) => String(answer).includes('has seat stalls-1, receipt-'))).toHaveLength(1);
    expect(answers.filter((answer) => String(answer).includes('Another customer has the seat.'))).toHaveLength(2);
  });

  it('releases the seat when its payment is declined', async () => {
    await expect(buy('bob', 'stalls-2')).rejects.toThrow();
    expect(await buy('ann', 'stalls-2')).toBe('ann has seat stalls-2, receipt-ann');
  });
});
