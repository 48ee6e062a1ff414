import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MARGIN_MS } from '../../src/temporal/call-envelope.js';
import { MOST_LOSSES } from '../../src/temporal/losses.js';
import { ProviderProcess } from '../../src/temporal/providers/provider-process.js';
import type { ImplementedResource } from '../../src/temporal/resources.js';
import { until } from '../support/until.js';

const script = fileURLToPath(new URL('../support/odd-providers.mjs', import.meta.url));
const reports: string[] = [];
let providers: ProviderProcess;
let calls: ImplementedResource;

beforeEach(() => {
  reports.length = 0;
  providers = new ProviderProcess({ script, args: [], report: (message) => reports.push(message) });
  const named = async () => undefined;
  [calls] = providers.serve([{ 'odd.make': named, 'odd.plain': named }]) as [ImplementedResource];
});
afterEach(() => providers.close());

interface Made {
  readonly output: { readonly by: number };
}

async function make(
  kind: string,
  call = 'odd.make',
  environment = new MockActivityEnvironment({ activityType: call, startToCloseTimeoutMs: 2 * MARGIN_MS }),
): Promise<Made> {
  const made: unknown = await environment.run(() =>
    calls[call]!({ input: { kind }, idempotencyKey: `key of ${kind}` }),
  );
  return made as Made;
}

describe('calls in a process of their own (S1.5a)', () => {
  it('are made there, with what they note, and hear that nobody waits any more', async () => {
    const { output } = await make('ok');
    expect(output.by).not.toBe(process.pid);
    const environment = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: { progress: 7, losses: 0 } });
    const beats: unknown[] = [];
    environment.on('heartbeat', (details) => beats.push(details));
    await make('progress', 'odd.make', environment);
    expect(beats.at(-1)).toEqual({ progress: { was: 7, attempt: 2 }, losses: 0 });

    const stopped = new MockActivityEnvironment();
    const cutOff = make('untilAborted', 'odd.make', stopped);
    // It is there before this one is answered.
    await make('ok');
    stopped.cancel('WORKER_SHUTDOWN', ActivityCancellationDetails.fromProto({ isWorkerShutdown: true }));
    await expect(cutOff).rejects.toMatchObject({ nonRetryable: false });
    await expect(make('stray')).resolves.toMatchObject({ output });
  });

  it('fail alone where one of them never gives way: the others go on elsewhere (provider-process.1 to 3)', async () => {
    const { output } = await make('ok');
    const blocking = make('block').catch((thrown: unknown) => thrown);
    const beside = make('soon', 'odd.plain');
    // While the process stands still, others are served.
    await until(async () => expect((await make('ok', 'odd.plain')).output.by).not.toBe(output.by));
    expect(await blocking).toMatchObject({
      ...{ type: 'provider_cut_off', nonRetryable: true },
      message: expect.stringMatching(
        /^The provider of 'odd.make' was cut off: its process .* at make \(odd-providers.mjs:\d+\)\. Await long work/,
      ) as string,
    });
    expect(reports).toHaveLength(1);
    await expect(beside).resolves.toMatchObject({ output: { by: expect.any(Number) as number } });
    // From now on it is apart, and disturbs nobody.
    const present = (await make('ok', 'odd.plain')).output.by;
    void make('block').catch(() => undefined);
    expect((await make('soon', 'odd.plain')).output.by).toBe(present);
  });

  it('fail where they end the process, alone in it or again and again (provider-process.4)', async () => {
    await expect(make('exit')).rejects.toMatchObject({
      type: 'provider_cut_off',
      message: expect.stringContaining('has ended (3)') as string,
    });
    const beside = make('untilAborted', 'odd.plain').catch((thrown: unknown) => thrown);
    const ending = make('exit', 'odd.plain').catch((thrown: unknown) => thrown);
    expect(await Promise.all([beside, ending])).toMatchObject([
      { message: expect.stringContaining(`That happened ${MOST_LOSSES} times in a row`) as string },
      { type: 'provider_cut_off' },
    ]);
    expect((await make('ok')).output.by).toBeGreaterThan(0);
  });
});
