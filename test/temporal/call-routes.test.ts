import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Affinity } from '../../src/definition/index.js';
import { implementResource } from '../../src/temporal/resources.js';
import { createCallWorker, type CallWorkerOptions } from '../../src/temporal/worker.js';
import { Film, post, studio } from '../entities/film.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** A worker of calls, and how it is stopped. */
interface Studio {
  readonly stop: () => Promise<void>;
}

let service: TestService;
const studios = new Map<string, Studio>();
/** How many letters are under way now, and were at once at most. */
const letters = { now: 0, most: 0 };
/** The code that a studio runs instead of cutting a film's next scene. */
const instead = new Map<string, (studio: Studio) => Promise<void>>();
const open: (() => Promise<unknown>)[] = [];

const sending = (by: string) =>
  implementResource(post, {
    send: async () => {
      letters.most = Math.max(letters.most, ++letters.now);
      // The others that may be made at once come meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      letters.now--;
      return { by };
    },
  });

/** Runs a worker of calls, until the function that it gives is called. */
async function runCallWorker(options: Pick<CallWorkerOptions, 'resources' | 'serves' | 'affinity'>) {
  // Two workers of one task queue are two processes, with a connection each.
  const connection = await NativeConnection.connect({ address: service.environment.address });
  const worker = await createCallWorker({
    connection,
    namespace: service.namespace,
    shutdownGraceMs: 100,
    ...options,
  });
  const running = worker.run().finally(() => connection.close());
  let stopped: Promise<void> | undefined;
  const stop = () => {
    if (!stopped) worker.shutdown();
    return (stopped ??= running);
  };
  open.push(stop);
  return stop;
}

/** Of a queue of calls that is limited. Without the limit, all letters are begun in less than a second. */
const [LETTERS, PER_SECOND] = [24, 2];
/** So many may begin at once after silence: each of the four partitions of a task queue counts by itself. */
const AT_FIRST = 8;
let stopPostOffice: (() => Promise<void>) | undefined;

/** A studio that serves films of all, and then those that it has loaded. */
async function openStudio(): Promise<void> {
  let own: Affinity | undefined;
  const stop = await runCallWorker({
    serves: [{ taskQueue: 'studios' }],
    affinity: true,
    resources: [
      implementResource(studio, {
        load: async (_, { affinity }) => {
          own = affinity();
          studios.set(own.worker, { stop });
          return { on: own };
        },
        cut: async ({ key }, { affinity }) => {
          const { worker } = affinity();
          const here = studios.get(worker)!;
          await instead.get(key)?.(here);
          return { at: worker };
        },
      }),
    ],
  });
}

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/film-workflows.ts',
    declarations: ['entities/film.ts'],
    entities: [Film],
    resources: [sending('the worker of the entities')],
  });
  await openStudio();
});
afterAll(async () => {
  await Promise.allSettled(open.map((stop) => stop()));
  await service.close();
});

const read = async (key: string) => (await service.reeve.read({ type: 'Film', key })).snapshot;

async function cut(key: string, scenes: number) {
  await service.reeve.create(Film, key, 'cut', { scenes });
  await until(async () => expect((await read(key)).state).toBe('Cut'));
  return (await read(key)).properties as { loads: number; cutAt: string[] };
}

describe('where calls run (A5)', () => {
  it('runs calls on the worker that made an earlier one, also those that are declared inline', async () => {
    const { loads, cutAt } = await cut('bound', 3);
    expect(loads).toBe(1);
    expect(cutAt[0]).toMatch(/^reeve\/worker\//);
    expect(new Set(cutAt).size).toBe(1);
  });

  it('fails with worker_gone when that worker has ended, and the action goes on with another one', async () => {
    let ended = 0;
    instead.set('ended', async ({ stop }) => {
      if (ended++ > 0) return;
      await openStudio();
      void stop();
    });
    const { loads, cutAt } = await cut('ended', 3);
    expect(loads).toBe(2);
    expect(new Set(cutAt).size).toBe(2);
  });

  it('fails with worker_gone when that worker dies in the middle of a call', async () => {
    let lost = 0;
    instead.set('lost', async ({ stop }) => {
      if (lost++ > 0) return;
      await openStudio();
      stop().catch(() => undefined);
      await new Promise(() => undefined);
    });
    const { loads, cutAt } = await cut('lost', 2);
    expect(loads).toBe(2);
    expect(new Set(cutAt).size).toBe(1);
  });

  it('sends calls to the task queue of their route, where they wait for a worker that serves it', async () => {
    await cut('routed', 1);
    await service.reeve.raise(Film, 'routed', 'send');
    await until(async () => {
      const { raw } = await service.environment.client.workflow.getHandle('Film/routed').describe();
      expect(raw.pendingActivities).toMatchObject([{ activityType: { name: 'post.send' } }]);
    });
    const serves = [{ taskQueue: 'post-office', atOnce: 1 }];
    stopPostOffice = await runCallWorker({ resources: [sending('the post office')], serves });
    await until(async () => expect((await read('routed')).properties).toMatchObject({ sentBy: 'the post office' }));
  });

  it('makes as many calls of a task queue at once as its worker takes', async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `letter-${index}`);
    await Promise.all(keys.map((key) => cut(key, 1)));
    letters.most = 0;
    await Promise.all(keys.map((key) => service.reeve.raise(Film, key, 'send')));
    for (const key of keys) await until(async () => expect((await read(key)).state).toBe('Sent'));
    expect(letters.most).toBe(1);
  });

  it('begins no more calls of a task queue in a second than its workers are told', async () => {
    const keys = Array.from({ length: LETTERS }, (_, index) => `note-${index}`);
    await Promise.all(keys.map((key) => cut(key, 1)));
    await stopPostOffice?.();
    const since = performance.now();
    const begun: number[] = [];
    const counting = implementResource(post, {
      send: async () => {
        begun.push(performance.now() - since);
        return { by: 'the slow post office' };
      },
    });
    await runCallWorker({ resources: [counting], serves: [{ taskQueue: 'post-office', perSecond: PER_SECOND }] });
    await Promise.all(keys.map((key) => service.reeve.raise(Film, key, 'send')));
    await until(async () => expect(begun).toHaveLength(LETTERS));
    // Temporal never gives more by then. On a busy machine, calls only begin later.
    for (const [before, ms] of begun.entries())
      expect(before + 1).toBeLessThanOrEqual(AT_FIRST + (PER_SECOND * ms) / 1_000);
  });
});
