import { MockActivityEnvironment } from '@temporalio/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { currentCall } from '../../src/temporal/current-call.js';
import { implementResource } from '../../src/temporal/resources.js';
import { hearHolds, holdOf, type Hold } from '../../src/temporal/watch/loop-watch.js';
import { until } from '../support/until.js';

const shape = { input: z.object({}), output: z.object({}) };
const ext = defineResource('ext', { odd: { ...shape, timeout: '2s' }, patient: { ...shape, heartbeat: '1s' } });

type Empty = Record<string, never>;
const holds: Hold[] = [];
let hearNoMore: () => void;
beforeEach(() => {
  holds.length = 0;
  hearNoMore = hearHolds((hold) => holds.push(hold));
});
afterEach(() => hearNoMore());

/** Keeps the event loop busy until the watch has seen that, and for so long at least. */
function block(ms: number): void {
  const since = performance.now();
  while (!holdOf(currentCall()!) || performance.now() - since < ms);
}

function make(call: 'odd' | 'patient', activityId: string, run: () => Promise<Empty> | Empty, environment = {}) {
  const provider = async () => run();
  const activities = implementResource(ext, { odd: provider, patient: provider });
  const mock = new MockActivityEnvironment({ activityType: `ext.${call}`, activityId, ...environment });
  return mock.run(() => activities[`ext.${call}`]!({ input: {}, idempotencyKey: 'key' }));
}

const heldUp = {
  ...{ type: 'call_timed_out', nonRetryable: true },
  message: expect.stringMatching(
    /^The provider held up its whole worker for \d+ s, .* It was at .+ \(\S*:\d+\)\./,
  ) as string,
};

it('a call that holds up its worker for longer than it may take fails, and is named; the others go on (S1.5a, loop-watch.1, .2)', async () => {
  const beside = make('odd', 'beside', () => delay(1_000, {}));
  const blocking = make('odd', 'culprit', async () => {
    await delay(1);
    block(3_000);
    return {};
  });
  await expect(blocking).rejects.toMatchObject(heldUp);
  await expect(beside).resolves.toBeDefined();
  await until(async () => expect(holds).toHaveLength(1));
  expect(holds[0]!.call).toMatchObject({
    activity: 'ext.odd',
    attempt: 1,
    activityId: expect.stringMatching(/culprit$/) as string,
  });
});

it('one that takes less than it may is named alone', async () => {
  const blocking = make('patient', 'patient', () => {
    block(0);
    return {};
  });
  await expect(blocking).resolves.toBeDefined();
  await until(async () => expect(holds.map(({ call }) => call.activity)).toEqual(['ext.patient']));
});

it.each([{ attempt: 2, heartbeatDetails: { losses: 0 } }, {}])(
  'a call whose answer comes too late, since it held up its worker, does not do it again (%o)',
  async (again) => {
    let made = 0;
    const provider = () => {
      made++;
      block(0);
      return {};
    };
    const activityId = `lost ${JSON.stringify(again)}`;
    // Temporal does not take the answer of an execution that was silent for too long, or of an inline call whose task has timed out.
    await make('patient', activityId, provider);
    await expect(make('patient', activityId, provider, again)).rejects.toMatchObject(heldUp);
    // In the next attempt of the action it is another activity with the same key.
    await make('patient', `${activityId}, again`, provider);
    expect(made).toBe(2);
  },
);
