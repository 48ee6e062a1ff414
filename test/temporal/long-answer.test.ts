import { randomBytes } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { approvals, Order } from '../entities/order.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** So many large signals make a long history. */
const SIGNALS = 6;
const LARGE = 'x'.repeat(400_000);

/** Answers that it has before it waits: the next run is told each of them again. */
const BEFORE = 60;

const calls: string[] = [];
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/order-workflows.ts',
    declarations: ['entities/order.ts'],
    entities: [Order],
    resources: [
      implementResource(approvals, {
        ask: async (_, { idempotencyKey }) => void calls.push(`ask ${idempotencyKey}`),
        book: async (_, { idempotencyKey }) => {
          calls.push(`book ${idempotencyKey}`);
          return {};
        },
      }),
    ],
    callbacks: { url: 'https://callbacks.example/api', keys: new CallbackKeys(randomBytes(32).toString('base64')) },
  });
});
afterAll(async () => service.close());

describe('an action that waits for an answer while its run becomes long (A1)', () => {
  it('goes on in the next run, asks nobody again, and ends once', async () => {
    const { client } = service.environment;
    const handle = client.workflow.getHandle('Order/o');
    const read = async () => (await service.reeve.read({ type: 'Order', key: 'o' })).snapshot;
    await service.reeve.create(Order, 'o', 'place', { amount: 5, before: BEFORE });
    await until(async () => expect((await read()).callbacks).toMatchObject([{ asked: true }]));
    const [asked] = (await read()).callbacks!;
    const { runId: first } = await handle.describe();
    for (let count = 0; count < SIGNALS; count++) await handle.signal('hello', LARGE);
    await until(async () => expect((await handle.describe()).runId).not.toBe(first));

    expect(await read()).toMatchObject({ state: 'Approving', callbacks: [{ id: asked!.id, round: 1 }] });
    const { life } = await read();
    const question = { id: asked!.id, until: asked!.until, of: { type: 'Order', key: 'o', life } };
    await service.reeve.answer(question, { output: { by: 'ann' } });
    await until(async () => expect(await read()).toMatchObject({ state: 'Approved', properties: { by: 'ann' } }));
    expect(calls.filter((call) => call.startsWith('ask'))).toHaveLength(1);
    expect(new Set(calls).size).toBe(1 + BEFORE + 1);
    expect(calls).toHaveLength(1 + BEFORE + 1);

    // Each run of its life can be replayed.
    const workflowBundle = await service.replaceWorker('entities/order-workflows.ts');
    for (const runId of [first, (await handle.describe()).runId]) {
      const history = await client.workflow.getHandle('Order/o', runId).fetchHistory();
      await Worker.runReplayHistory({ workflowBundle }, history, 'Order/o');
      // To go on where it was needs no timer: on a small service, each lasts a second at least.
      const timers = history.events!.flatMap(({ timerStartedEventAttributes: timer, userMetadata }) => {
        // Signals that have piled up end a task (entity-steps.1).
        const isOfMany = Buffer.from(userMetadata?.summary?.data ?? []).includes('events that wait');
        return isOfMany ? [] : (timer?.startToFireTimeout ?? []);
      });
      expect(timers.filter(({ seconds }) => Number(seconds) < 1)).toEqual([]);
    }
  });
});
