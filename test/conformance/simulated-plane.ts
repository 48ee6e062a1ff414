import type { AnyEntity } from '../../src/definition/entity.js';
import { allowedEvents } from '../../src/kernel/rules/allowed-events.js';
import type { KeyOf } from '../../src/definition/key-schema.js';
import { Rejected, ResourceError } from '../../src/protocol/errors.js';
import { entityId } from '../../src/protocol/names.js';
import { fakeResource, simulate, type Simulation, type AcceptedEvent } from '../../src/simulation/index.js';
import { shelf } from '../entities/box.js';
import { machines } from '../entities/job.js';
import type { AnswerAddress } from '../../src/definition/index.js';
import { crane, THROWN } from '../entities/freight.js';
import { calendar, dayAfter } from '../entities/diary.js';
import { post, studio } from '../entities/film.js';
import { cashiers } from '../entities/invoice.js';
import { agents, boot } from '../entities/node.js';
import { approvals } from '../entities/order.js';
import { conditions } from '../../src/components/index.js';
import { pad } from '../entities/rig.js';
import { crowd, reply } from '../entities/survey.js';
import { implementations } from './implementations.js';
import { simulatedEstate } from './simulated-estate.js';
import { World } from './world.js';
import type { Plane, Withdrawal } from './plane.js';

const STEPS = 10_000;

/** Entities in the simulator, with some faults of chance. */
export function simulatedPlane(seed: number): Plane {
  const failures = new Map<string, number>();
  const fail = (name: string) => {
    const left = failures.get(name) ?? 0;
    if (left === 0) return;
    failures.set(name, left - 1);
    throw new ResourceError('refused', `no call for ${name} now`);
  };
  const addresses: AnswerAddress[] = [];
  const withdrawals: Withdrawal[] = [];
  const world = new World();
  const resources = [
    fakeResource(shelf, {
      put: async ({ name }) => {
        fail(name);
        return { place: name.length };
      },
      look: async ({ name }) => {
        fail(name);
        return { place: name.length * 10 };
      },
    }),
    fakeResource(machines, {
      work: async ({ on }) => {
        fail(on);
        return {};
      },
    }),
    fakeResource(cashiers, {
      bill: ({ paid }) => {
        addresses.push(paid);
        return {};
      },
    }),
    fakeResource(agents, {
      write: ({ done }) => {
        addresses.push(done);
        return {};
      },
      boot: ({ name, image }) => boot(name, image),
    }),
    fakeResource(studio, {
      load: (_, { affinity }) => ({ on: affinity() }),
      cut: (_, { affinity }) => ({ at: affinity().worker }),
    }),
    fakeResource(pad, {
      note: ({ on, text }, { idempotencyKey }) => {
        fail(on);
        return world.note(on, text, idempotencyKey);
      },
    }),
    fakeResource(conditions, {
      propertySet: ({ property }) => world.has(property),
      pageLive: ({ url }) => world.has(url),
      fileExists: ({ file }) => world.has(file),
      hostExists: ({ hostname }) => world.has(hostname),
      databaseOpen: ({ url }) => world.has(url),
      databaseLive: ({ url }) => world.has(url),
    }),
    fakeResource(crane, {
      carry: () => ({}),
      lift: ({ how }) => {
        throw THROWN[how]!();
      },
    }),
    fakeResource(calendar, { next: ({ after }) => dayAfter(after) }),
    fakeResource(post, { send: () => ({ by: 'post' }) }),
    fakeResource(approvals, { ask: () => undefined, book: () => ({}) }),
    fakeResource(crowd, {
      write: {
        ask: () => undefined,
        withdraw: (input, { idempotencyKey, question, reason }) =>
          void withdrawals.push({ input, idempotencyKey, question, reason }),
      },
      phone: ({ part }) => reply(part),
      glance: ({ part }) => reply(part),
    }),
  ];
  const sim = simulate(implementations, { seed, resources, components: [], faults: { crash: 0.05, rollOver: 0.05 } });
  return {
    ...planeOf(sim, failures, addresses),
    notes: (rig) => world.notes(rig),
    absent: (name, times) => world.absent(name, times),
    onEstate: (target, fields, work) => work(simulatedEstate(seed, target, fields)),
    withdrawals: (key) => withdrawals.filter(({ idempotencyKey }) => idempotencyKey.includes(`/${key}#`)),
  };
}

/** Anything that does not exist yet has not come to pass. */
function orAbsent(thrown: unknown): boolean {
  if (thrown instanceof Rejected && thrown.code === 'absent') return false;
  throw thrown;
}

function planeOf(
  sim: Simulation,
  failures: Map<string, number>,
  addresses: readonly AnswerAddress[],
): Omit<Plane, 'withdrawals' | 'notes' | 'absent' | 'onEstate'> {
  /** An entity that is about to go on in a new run does so first. */
  const ready = async (entity: AnyEntity, key: KeyOf<AnyEntity>) => {
    while (sim.exists(entity, key) && sim.read(entity, key).rollingOver) await sim.advance('1ms');
  };
  return {
    create: (entity, key, event, params, options) =>
      sim.createAny(entity, key, event, { ...(options as object), params }),
    construct: (entity, key, values) => sim.construct(entity, key, values as never),
    raise: async (entity, key, event, params, options) => {
      await ready(entity, key);
      return sim.raiseAny(entity, key, event, { ...options, params });
    },
    raiseAll: (entity, key, requests) => sim.raiseAll({ type: entity.name, key }, requests),
    signal: (entity, key, event, params, options) => sim.signal(entity, key, event as never, params as never, options),
    read: async (entity, key) => {
      await ready(entity, key);
      return sim.read(entity, key);
    },
    allowed: async (entity, key) => allowedEvents(entity, sim.read(entity, key)),
    answerAt: (key, answer) =>
      sim.answerRound(
        addresses.findLast(({ of }) => of.key === key)!,
        answer,
      ),
    answerAll: async (entity, key, answers) => {
      const { life, callbacks = [] } = sim.read(entity, key);
      const of = { type: entity.name, key, life };
      const rounds = callbacks.slice(0, answers.length);
      await Promise.all(rounds.map(({ id, until }, place) => sim.answerRound({ id, until, of }, answers[place]!)));
    },
    async goOn(entity, key) {
      const name = ` ${entityId({ type: entity.name, key })} `;
      const runs = () => sim.trace.filter((line) => line.includes(name) && line.includes('continues as new')).length;
      const before = runs();
      // Each task can be the last one of its run.
      for (let task = 0; task < STEPS; task++) {
        await sim.signal(entity, key, 'hello' as never).catch(orAbsent);
        await sim.advance('50ms');
        if (runs() > before) return;
      }
      throw new Error(`${name} has not gone on in a new run.`);
    },
    answer: (entity, key, call, answer) => sim.answer(entity, key, call, answer as never),
    records: () => sim.records,
    result: (taken) => sim.result(taken as AcceptedEvent),
    cancel: (operation) => sim.cancel(operation),
    terminate: async (entity, key) => sim.terminate(entity, key),
    forget: (entity, key) => sim.crash(entity, key),
    replaceWorker: async () => sim.crashCallWorker(),
    async until(check) {
      for (let step = 0; step < STEPS; step++) {
        if (await check().catch(orAbsent)) return;
        await sim.advance('50ms');
      }
      throw new Error(`It has not come to pass:\n${sim.trace.slice(-30).join('\n')}`);
    },
    fail: (name, times) => failures.set(name, times),
    keys: (name) =>
      sim.calls.filter(({ input }) => Object.values(input as object).includes(name)).map((call) => call.idempotencyKey),
    hold: (entity: AnyEntity, name) => {
      // Its answer is lost; the call is made again when the worker has been taken for dead.
      sim.inject({ at: { entity: entityId({ type: entity.name, key: name }) }, fault: 'lose-answer' });
      return { letGo: () => undefined };
    },
  };
}
