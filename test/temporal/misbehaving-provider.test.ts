import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { CALL_OUTPUT_BYTES } from '../../src/definition/limits.js';
import { currentCall } from '../../src/temporal/current-call.js';
import { MOST_LOSSES } from '../../src/temporal/losses.js';
import { implementResource, type CallContext } from '../../src/temporal/resources.js';

const ext = defineResource('ext', {
  odd: { input: z.object({}), output: z.any(), timeout: '50ms' },
  strict: { input: z.object({}), output: z.object({ n: z.number() }) },
});
const envelope = { input: {}, idempotencyKey: 'k' };

type Provider = (input: object, context: CallContext) => Promise<unknown>;

/** Gives what Temporal is told by a worker that makes the call. */
function made(call: 'odd' | 'strict', provider: Provider, environment = new MockActivityEnvironment()) {
  const activities = implementResource(ext, { odd: provider, strict: provider as never });
  return environment.run(() => activities[`ext.${call}`]!(envelope));
}

/** How a call fails for good: Temporal does not repeat it, so that it counts as an attempt of the action. */
const failed = (type: string, message: RegExp) =>
  expect.objectContaining({ type, nonRetryable: true, message: expect.stringMatching(message) as string });

describe('a provider that misbehaves fails its own call, once (S1.5a)', () => {
  it('by what cannot be sent', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const unsendable: readonly unknown[] = [
      { n: 1n },
      circular,
      () => 1,
      Symbol('s'),
      { toJSON: () => void throwing() },
      Object.defineProperty({}, 'x', { enumerable: true, get: throwing }),
      new Proxy({}, { ownKeys: throwing }),
    ];
    for (const output of unsendable) {
      await expect(made('odd', async () => output)).rejects.toEqual(
        failed('invalid_output', /The provider of '.*' returned an invalid value/),
      );
    }
  });

  it('by what its schema does not allow, or cannot read', async () => {
    for (const output of [
      undefined,
      { n: 'one' },
      {
        get n() {
          return throwing();
        },
      },
    ]) {
      await expect(made('strict', async () => output)).rejects.toEqual(
        failed('invalid_output', /The provider of '.*' returned an invalid value/),
      );
    }
  });

  it('by an answer that throws when it is looked at', async () => {
    const proxy = new Proxy({}, { get: throwing });
    await expect(made('strict', async () => proxy)).rejects.toEqual(failed('defect', /trap/));
  });

  it('by an output that is too large', async () => {
    const most = 'x'.repeat(CALL_OUTPUT_BYTES - 2);
    await expect(made('odd', async () => most)).resolves.toMatchObject({ output: most });
    const wide = 'é'.repeat(CALL_OUTPUT_BYTES / 2);
    for (const output of [`${most}x`, wide]) {
      const tooLarge = failed('output_too_large', /at most 1,000,000 bytes.*It has 1,000,00/);
      await expect(made('odd', async () => output)).rejects.toEqual(tooLarge);
    }
  });

  it('by no answer within its time limit, of which the provider hears', async () => {
    let signal: AbortSignal | undefined;
    const never: Provider = (_, context) => {
      signal = context.signal;
      return new Promise(() => undefined);
    };
    await expect(made('odd', never)).rejects.toEqual(
      failed('call_timed_out', /did not answer within 50ms, the call's 'timeout'/),
    );
    expect(signal!.aborted).toBe(true);
  });

  it('by a failure after its time limit, which ends nobody', async () => {
    const late: Provider = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
    await expect(made('odd', late)).rejects.toEqual(failed('call_timed_out', /./));
  });
});

describe('a call whose worker is lost again and again (S1.5a)', () => {
  /**
   * The executions of one call. The worker of each is lost when the provider has begun, or stopped in order: what the last heartbeat says is
   * given to the next one. Gives how the call failed for good.
   */
  async function lose(times: number, provider: Provider, orderly: readonly number[] = []): Promise<unknown> {
    let heartbeatDetails: unknown;
    for (let attempt = 1; attempt <= times; attempt++) {
      const environment = new MockActivityEnvironment({ attempt, heartbeatDetails });
      environment.on('heartbeat', (details: unknown) => (heartbeatDetails = details));
      let begin!: () => void;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const making: Provider = (input, context) => {
        const work = provider(input, context);
        begin();
        return work;
      };
      const ended = made('strict', making, environment).catch((thrown: unknown) => thrown);
      const failure = await Promise.race([ended, begun]);
      if (failure !== undefined) return failure;
      if (!orderly.includes(attempt)) continue;
      environment.cancel('WORKER_SHUTDOWN', ActivityCancellationDetails.fromProto({ isWorkerShutdown: true }));
      expect(await ended).toMatchObject({ nonRetryable: false });
    }
    return undefined;
  }

  const untilAborted: Provider = (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut off'))));

  it('fails for good', async () => {
    const calls: number[] = [];
    const hanging: Provider = async (input, context) => {
      calls.push(context.attempt);
      return untilAborted(input, context);
    };
    const lost = failed('worker_lost', /lost 5 times in a row/);
    expect(await lose(MOST_LOSSES + 1, hanging)).toEqual(lost);
    expect(calls).toEqual([1, 2, 3, 4, 5]);
  });

  it('goes on where it notes progress, or where its workers were stopped', async () => {
    const noting: Provider = async (input, context) => {
      context.heartbeat(((context.progress as number | undefined) ?? 0) + 1);
      return untilAborted(input, context);
    };
    expect(await lose(MOST_LOSSES + 3, noting)).toBeUndefined();
    expect(await lose(MOST_LOSSES + 3, untilAborted, [3, 6])).toBeUndefined();
  });
});

it('code of a provider knows for which call it runs, also after it has waited (S1.5a)', async () => {
  const known: unknown[] = [];
  const provider: Provider = async () => {
    known.push(currentCall());
    await new Promise((resolve) => setTimeout(resolve, 1));
    known.push(currentCall());
    return {};
  };
  await made('odd', provider, new MockActivityEnvironment({ activityType: 'ext.odd' }));
  expect(known[0]).toMatchObject({ activity: 'ext.odd', idempotencyKey: 'k' });
  expect(known[1]).toBe(known[0]);
  expect(currentCall()).toBeUndefined();
});

function throwing(): never {
  throw new Error('trap');
}
