import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { defineResource } from '../../src/definition/resource.js';
import {
  CONNECTS_WITHIN_MS,
  KEPT_FREE_MS,
  LEAST_WORK_MS,
  workLeft,
} from '../../src/temporal/lambda/invocation-time.js';
import { misfits } from '../../src/temporal/lambda/misfits.js';
import { failureOfCall } from '../../src/temporal/make-call.js';
import { implementResource, type CallContext } from '../../src/temporal/resources.js';
import { refusedSettings, sharedDataDirectory } from '../../src/project/lambda-settings.js';

const none = z.object({});
const shape = { input: none, output: none };

describe('what runs in AWS Lambda (Q3)', () => {
  it('leaves time to connect, to end and to write, and refuses an invocation without time for work (invocation-time.1)', () => {
    expect(misfits([], KEPT_FREE_MS + LEAST_WORK_MS)).toEqual([]);
    expect(misfits([], KEPT_FREE_MS + LEAST_WORK_MS - 1)).toEqual([
      expect.stringMatching(/Set its Timeout to 27 s or more/),
    ]);
    // The time that it took to connect is not taken from the end.
    expect(workLeft(KEPT_FREE_MS + LEAST_WORK_MS - CONNECTS_WITHIN_MS)).toBe(LEAST_WORK_MS);
    expect(workLeft(1_000)).toBe(0);
  });

  it('refuses calls that an invocation would cut off again and again, and says all of them', () => {
    const mail = defineResource('mail', {
      send: shape,
      archive: { ...shape, timeout: '5m' },
      copy: { ...shape, timeout: '30m', resumes: true },
      ask: { ...shape, timeout: '10s', answer: 'callback', within: '2d' },
    });
    expect(misfits([mail], 120_000)).toEqual([expect.stringMatching(/works for 103 s.*mail\.archive \(300 s\)\./)]);
    expect(misfits([mail], 60_000)).toEqual([expect.stringMatching(/mail\.send \(60 s\), mail\.archive \(300 s\)\./)]);
  });

  it('refuses inline calls that may last beyond the end of an invocation', () => {
    const rates = defineResource('rates', {
      look: { ...shape, answer: 'inline', timeout: '4s' },
      compute: { ...shape, answer: 'inline' },
    });
    expect(misfits([rates], 600_000)).toEqual([
      expect.stringMatching(/leaves inline calls 5 s.*: rates\.compute \(60 s\)\./),
    ]);
  });

  it('refuses settings that an invocation cannot keep', () => {
    const right = { DATABASE_URL: 'postgresql://store/reeve', TEMPORAL_ADDRESS: 'temporal:7233' };
    expect(refusedSettings(right)).toEqual([]);
    expect(refusedSettings({ ...right, REEVE_METRICS_PORT: '9464' })).toEqual([
      expect.stringMatching(/^REEVE_METRICS_PORT is set/),
    ]);
    expect(refusedSettings({})).toEqual([
      expect.stringMatching(/^The address of the Temporal service is missing/),
      expect.stringMatching(/^DATABASE_URL/),
    ]);
  });

  it('gives the code of a project no data directory that is lost when an invocation ends', () => {
    const platform = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
    expect(sharedDataDirectory({ ...platform, REEVE_DATA_DIR: '/mnt/reeve' })).toBe('/mnt/reeve');
    expect(() => sharedDataDirectory({ ...platform, REEVE_DATA_DIR: '/tmp/reeve' })).toThrow(
      /lost when the invocation ends/,
    );
    expect(() => sharedDataDirectory(platform)).toThrow(/^REEVE_DATA_DIR is not set.*mounted file system/);
  });
});

describe('a call whose worker is stopped (Q3, S3.4)', () => {
  const slow = defineResource('slow', { copy: { ...shape, resumes: true } });
  const envelope = { input: {}, idempotencyKey: 'key' };
  const provider = (copy: (context: CallContext) => Promise<Record<string, never>>) =>
    implementResource(slow, { copy: (_, context) => copy(context) })['slow.copy']!;
  const untilAborted = ({ signal }: CallContext) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut off'))));

  it('is repeated by another worker, and is no failure of the resource', async () => {
    const stopped = new MockActivityEnvironment();
    const running = stopped.run(provider(untilAborted), envelope);
    stopped.cancel('WORKER_SHUTDOWN', ActivityCancellationDetails.fromProto({ isWorkerShutdown: true }));
    await expect(running).rejects.toMatchObject({ nonRetryable: false });
  });

  it('fails for good when it fails by itself, or is no longer wanted', async () => {
    const failing = new MockActivityEnvironment().run(
      provider(() => Promise.reject(new Error('no'))),
      envelope,
    );
    await expect(failing).rejects.toMatchObject({ nonRetryable: true });
    const unwanted = new MockActivityEnvironment();
    const running = unwanted.run(provider(untilAborted), envelope);
    unwanted.cancel('CANCELLED', ActivityCancellationDetails.fromProto({ isCancelled: true }));
    await expect(running).rejects.toMatchObject({ nonRetryable: true });
  });

  it('says how often it was repeated, also where it fails then (S5.1)', async () => {
    const third = new MockActivityEnvironment({ attempt: 3 });
    const failing = third.run(
      provider(() => Promise.reject(new Error('no'))),
      envelope,
    );
    const thrown: unknown = await failing.catch((failure: unknown) => failure);
    expect(failureOfCall({ activity: 'slow.copy' }, thrown)).toMatchObject({ name: 'CallFailed', restarts: 2 });
    const first = new MockActivityEnvironment();
    const once = first.run(
      provider(() => Promise.reject(new Error('no'))),
      envelope,
    );
    const thrownAtOnce: unknown = await once.catch((failure: unknown) => failure);
    expect(failureOfCall({ activity: 'slow.copy' }, thrownAtOnce)).toMatchObject({ name: 'CallFailed', restarts: 0 });
  });

  it('notes its progress with each beat, and the next execution is told of it', async () => {
    const first = new MockActivityEnvironment();
    const beats: unknown[] = [];
    first.on('heartbeat', (details: unknown) => beats.push(details));
    await first.run(
      provider(async (context) => {
        context.heartbeat({ copied: 3 });
        context.heartbeat();
        return {};
      }),
      envelope,
    );
    expect(beats).toEqual([1, 2].map(() => ({ progress: { copied: 3 }, losses: 0 })));
    const told: unknown[] = [];
    await new MockActivityEnvironment({ attempt: 2, heartbeatDetails: beats[1] }).run(
      provider(async ({ progress }) => {
        told.push(progress);
        return {};
      }),
      envelope,
    );
    expect(told).toEqual([{ copied: 3 }]);
  });
});
