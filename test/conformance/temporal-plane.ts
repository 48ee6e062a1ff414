import { randomBytes } from 'node:crypto';
import type { AnyEntity } from '../../src/definition/entity.js';
import { Rejected, ResourceError } from '../../src/protocol/errors.js';
import type { CallbackQuestion } from '../../src/protocol/callback.js';
import { entityId } from '../../src/protocol/names.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { sendBatch } from '../../src/client/raise.js';
import type { AcceptedEvent } from '../../src/protocol/accepted-event.js';
import { implementResource } from '../../src/temporal/resources.js';
import { shelf } from '../entities/box.js';
import { machines } from '../entities/job.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { crane, THROWN } from '../entities/freight.js';
import { calendar, dayAfter } from '../entities/diary.js';
import { post, studio } from '../entities/film.js';
import { cashiers } from '../entities/invoice.js';
import { agents, boot } from '../entities/node.js';
import { approvals } from '../entities/order.js';
import { conditions } from '../../src/components/index.js';
import { pad } from '../entities/rig.js';
import { crowd, reply } from '../entities/survey.js';
import { MemoryKeeper } from '../support/memory-keeper.js';
import { startTestService } from '../support/service.js';
import { until } from '../support/until.js';
import { implementations } from './implementations.js';
import { TemporalEstates } from './temporal-estate.js';
import { World } from './world.js';
import type { Plane, Withdrawal } from './plane.js';

/** Entities on a real service. */
export async function temporalPlane(): Promise<Plane & { close(): Promise<void> }> {
  const failures = new Map<string, number>();
  const keys = new Map<string, string[]>();
  const callbackKeys = new CallbackKeys(randomBytes(32).toString('base64'));
  const addresses: CallbackQuestion[] = [];
  const withdrawals: Withdrawal[] = [];
  const world = new World();
  const estates = new TemporalEstates();
  const keeper = new MemoryKeeper();
  const held = new Map<string, Promise<void>>();
  const perform = async (name: string, key: string, signal: AbortSignal) => {
    keys.set(name, [...(keys.get(name) ?? []), key]);
    const gate = held.get(name);
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    if (gate) await Promise.race([gate, aborted]);
    const left = failures.get(name) ?? 0;
    if (left === 0) return;
    failures.set(name, left - 1);
    throw new ResourceError('refused', `no call for ${name} now`);
  };
  const service = await startTestService({
    workflows: 'conformance/workflows.ts',
    // Anything that is not among them is declared again in each workflow that starts, at 7 ms of CPU time for an entity type.
    declarations: [
      'asker',
      'box',
      'job',
      'bank',
      'berth',
      'candle',
      'fleet',
      'site',
      'town',
      'parcel',
      'transfer',
      'order',
      'buyer',
      'survey',
      'invoice',
      'diary',
      'film',
      'rig',
      'round',
      'list',
      'pair',
      'harvest',
      'freight',
    ]
      .map((name) => `entities/${name}.ts`)
      .concat('conformance/meter.ts'),
    entities: implementations.map(({ entity }) => entity),
    resources: [
      implementResource(shelf, {
        put: async ({ name }, { idempotencyKey, signal }) => {
          await perform(name, idempotencyKey, signal);
          return { place: name.length };
        },
        look: async ({ name }, { idempotencyKey, signal }) => {
          await perform(name, idempotencyKey, signal);
          return { place: name.length * 10 };
        },
      }),
      implementResource(machines, {
        work: async ({ on }, { idempotencyKey, signal }) => {
          await perform(on, idempotencyKey, signal);
          return {};
        },
      }),
      implementResource(cashiers, {
        bill: async ({ paid }, { addressOf }) => {
          addresses.push(callbackKeys.questionOf(addressOf(paid).token)!);
          return {};
        },
      }),
      implementResource(agents, {
        write: async ({ done }, { addressOf }) => {
          addresses.push(callbackKeys.questionOf(addressOf(done).token)!);
          return {};
        },
        boot: async ({ name, image }) => boot(name, image),
      }),
      implementResource(studio, {
        load: async (_, { affinity }) => ({ on: affinity() }),
        cut: async (_, { affinity }) => ({ at: affinity().worker }),
      }),
      implementResource(pad, {
        note: async ({ on, text }, { idempotencyKey, signal }) => {
          await perform(on, idempotencyKey, signal);
          return world.note(on, text, idempotencyKey);
        },
      }),
      implementResource(conditions, {
        propertySet: async ({ property }) => world.has(property),
        pageLive: async ({ url }) => world.has(url),
        fileExists: async ({ file }) => world.has(file),
        hostExists: async ({ hostname }) => world.has(hostname),
        databaseOpen: async ({ url }) => world.has(url),
        databaseLive: async ({ url }) => world.has(url),
      }),
      implementResource(crane, {
        carry: async () => ({}),
        lift: async ({ how }) => {
          throw THROWN[how]!();
        },
      }),
      implementResource(calendar, { next: async ({ after }) => dayAfter(after) }),
      implementResource(post, { send: async () => ({ by: 'post' }) }),
      implementResource(approvals, { ask: async () => undefined, book: async () => ({}) }),
      implementResource(crowd, {
        write: {
          ask: async () => undefined,
          withdraw: async (input, { idempotencyKey, question, reason }) =>
            void withdrawals.push({ input, idempotencyKey, question, reason }),
        },
        phone: async ({ part }) => reply(part),
        glance: async ({ part }) => reply(part),
      }),
    ],
    affinity: true,
    records: keeper,
    distributed: estates.served,
    callbacks: { url: 'https://callbacks.example/api', keys: callbackKeys },
  });
  const { reeve, environment } = service;
  const { client } = environment;
  const handle = (entity: AnyEntity, key: string) => client.workflow.getHandle(entityId({ type: entity.name, key }));
  /** On a busy machine, a worker does not always answer in time. */
  const read = async (entity: AnyEntity, key: string): Promise<Snapshot> => {
    for (;;) {
      try {
        return (await reeve.read({ type: entity.name, key })).snapshot;
      } catch (thrown) {
        if (!(thrown instanceof Rejected && thrown.code === 'no_answer')) throw thrown;
      }
    }
  };
  return {
    create: (entity, key, event, params, options) =>
      reeve.createAny(entity, key, event, { ...(options as object), params }),
    construct: (entity, key, values) => reeve.construct(entity, key, values as never),
    raise: (entity, key, event, params, options) => reeve.raiseAny(entity, key, event, { ...options, params }),
    raiseAll: (entity, key, requests) => sendBatch(client, { type: entity.name, key }, requests),
    signal: (entity, key, event, params, options) =>
      handle(entity, key).signal(event, ...(options ? [params, options] : params === undefined ? [] : [params])),
    read,
    allowed: (entity, key) => reeve.allowedEvents({ type: entity.name, key }),
    answerAt: (key, answer) =>
      reeve.answer(
        addresses.findLast(({ of }) => of.key === key)!,
        answer,
      ),
    answerAll: async (entity, key, answers) => {
      const { life, callbacks = [] } = await read(entity, key);
      const of = { type: entity.name, key, life };
      const rounds = callbacks.slice(0, answers.length);
      await Promise.all(rounds.map(({ id, until }, place) => reeve.answer({ id, until, of }, answers[place]!)));
    },
    async goOn(entity, key) {
      const { runId: before } = await handle(entity, key).describe();
      // Some large signals make a long history.
      for (let signal = 0; signal < 6; signal++) await handle(entity, key).signal('hello', 'x'.repeat(400_000));
      await until(async () => {
        const { runId } = await handle(entity, key).describe();
        if (runId === before) throw new Error('It has not gone on in a new run.');
      });
    },
    answer: async (entity, key, call, answer) => {
      const snapshot = await read(entity, key);
      const asked = snapshot.callbacks?.filter((each) => each.call === call.activity).at(-1);
      if (!asked) throw new Error(`${key} has not asked ${call.activity}.`);
      const { id, until } = asked;
      await reeve.answer({ id, until, of: { type: entity.name, key, life: snapshot.life } }, answer);
    },
    records: () => keeper.all(),
    notes: (rig) => world.notes(rig),
    absent: (name, times) => world.absent(name, times),
    async onEstate(target, fields, work) {
      try {
        const told = () => keeper.all().filter((record) => record.kind === 'jobs');
        await work(estates.open(service, { target, fields, told }));
      } finally {
        await estates.close(target);
      }
    },
    withdrawals: (key) => withdrawals.filter(({ idempotencyKey }) => idempotencyKey.includes(`/${key}#`)),
    result: (taken) => reeve.operations.result(taken as AcceptedEvent),
    cancel: (operation) => reeve.operations.cancel(operation),
    terminate: async (entity, key) => {
      await handle(entity, key).terminate();
    },
    forget: async (entity, key) => {
      const workflowId = entityId({ type: entity.name, key });
      await client.workflowService.resetStickyTaskQueue({ namespace: service.namespace, execution: { workflowId } });
    },
    replaceWorker: async () => {
      await service.stopWorker();
      await service.startWorker();
    },
    until: (check) =>
      until(async () => {
        if (!(await check())) throw new Error('It has not come to pass.');
      }),
    fail: (name, times) => failures.set(name, times),
    keys: (name) => keys.get(name) ?? [],
    hold: (_, name) => {
      let letGo!: () => void;
      held.set(name, new Promise<void>((resolve) => (letGo = resolve)));
      return { letGo: () => letGo() };
    },
    close: async () => {
      await estates.close();
      await service.close();
    },
  };
}
