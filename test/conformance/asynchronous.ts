/** Scenarios for A, asynchronous calls. */
import { expect } from 'vitest';
import type { Affinity } from '../../src/definition/index.js';
import { Box } from '../entities/box.js';
import { Film } from '../entities/film.js';
import { Invoice } from '../entities/invoice.js';
import { Loaf } from '../entities/loaf.js';
import { Node } from '../entities/node.js';
import { Purchaser, Order, approvals } from '../entities/order.js';
import { Survey, crowd } from '../entities/survey.js';
import { REVOKE_EVENT } from '../../src/protocol/names.js';
import type { OperationRecord } from '../../src/protocol/records.js';
import { rejection, type Plane } from './plane.js';
import { scenario } from './scenario.js';

const yes = { output: { by: 'ann' } };

/** An order that waits for its approval. */
async function asked(plane: Plane, key: string) {
  const placed = await plane.create(Order, key, 'place', { amount: 5 });
  await plane.until(async () => (await plane.read(Order, key)).running?.awaits !== undefined);
  return placed;
}

/** A purchaser who waits for two orders, each of which waits for its approval. */
async function ordered(plane: Plane, key: string, within: string) {
  const bought = await plane.create(Purchaser, key, 'buy', { within });
  for (const name of ['one', 'two'])
    await plane.until(async () => {
      const { running } = await plane.read(Order, `${key}-${name}`).catch(() => ({ running: undefined }));
      return running?.awaits !== undefined;
    });
  return bought;
}

async function surveyed(plane: Plane, key: string): Promise<void> {
  await plane.result(await plane.create(Survey, key, 'open'));
}

type Way = 'write' | 'phone' | 'glance';
const parts = (...ways: readonly Way[]) => ways.map((way, part) => ({ way, part }));
const heard = async (plane: Plane, key: string) => (await plane.read(Survey, key)).properties;

/** The parts of the questions that were withdrawn for this reason. A provider may be told twice. */
const partsOf = (plane: Plane, key: string, why: string) => {
  const told = plane.withdrawals(key);
  expect(told.map(({ reason }) => reason)).toEqual(told.map(() => why));
  return [...new Set(told.map(({ input }) => (input as { readonly part: number }).part))].sort();
};

/** The operation to which an event of an entity belongs, as the store has been told. */
const operationOf = (plane: Plane, key: string, event: string) =>
  plane
    .records()
    .flatMap((each) =>
      each.kind === 'event' && each.entity.key === key && each.event === event ? each.operation : [],
    )[0];

/** How many answers a survey waits for from outside. */
const waitsFor = async (plane: Plane, key: string) => (await plane.read(Survey, key)).running?.awaits?.length ?? 0;

export const asynchronous = [
  scenario('A1', 'an answer from outside resumes its action once', async (plane, key) => {
    const placed = await asked(plane, key);
    await plane.answer(Order, key, approvals.ask, yes);
    await plane.result(placed);
    expect(await plane.read(Order, key)).toMatchObject({ state: 'Approved', properties: { by: 'ann' } });
    expect((await plane.read(Order, key)).version).toBe(2);
  }),
  scenario('A1', 'a failure that is answered reaches the action with its code', async (plane, key) => {
    const placed = await asked(plane, key);
    await plane.answer(Order, key, approvals.ask, { error: { code: 'refused', message: 'too dear' } });
    await plane.result(placed);
    expect(await plane.read(Order, key)).toMatchObject({ state: 'Refused', properties: { why: 'too dear' } });
  }),
  scenario('A1', 'a failure that nobody catches reaches the initiator with its code', async (plane, key) => {
    await surveyed(plane, key);
    const raised = await plane.raise(Survey, key, 'ask', { way: 'write', part: 1 });
    await plane.until(async () => (await waitsFor(plane, key)) === 1);
    await plane.answer(Survey, key, crowd.write, { error: { code: 'moved_away', message: 'nobody lives here' } });
    expect(await plane.result(raised)).toMatchObject({ outcome: 'failed', errors: [{ code: 'moved_away' }] });
  }),
  scenario('A1', 'a worker that forgets the entity meanwhile asks nobody again', async (plane, key) => {
    const placed = await asked(plane, key);
    const before = (await plane.read(Order, key)).callbacks;
    await plane.forget(Order, key);
    expect((await plane.read(Order, key)).callbacks).toMatchObject([{ id: before![0]!.id, round: 1 }]);
    await plane.answer(Order, key, approvals.ask, yes);
    await plane.result(placed);
    expect((await plane.read(Order, key)).state).toBe('Approved');
  }),
  scenario('A1', 'answers that come together keep their places when a new run takes over', async (plane, key) => {
    await surveyed(plane, key);
    const raised = await plane.raise(Survey, key, 'compare');
    await plane.until(async () => (await waitsFor(plane, key)) === 2);
    const said = { output: { said: 7 } };
    await plane.answerAll(Survey, key, [said, said]);
    // It has made both calls, and asks once more.
    await plane.until(async () => (await plane.read(Survey, key)).callbacks?.at(2)?.asked === true);
    await plane.goOn(Survey, key);
    await plane.answer(Survey, key, crowd.write, said);
    expect(await plane.result(raised)).toMatchObject({ outcome: 'success' });
    expect(await heard(plane, key)).toMatchObject({ heard: [20, 40, 7] });
  }),
  scenario('A1', 'an action takes up in a new run what it waits for on other entities', async (plane, key) => {
    const bought = await ordered(plane, key, '2d');
    await plane.goOn(Purchaser, key);
    expect((await plane.read(Purchaser, key)).running?.awaits).toMatchObject([{ kind: 'event' }, { kind: 'event' }]);
    await plane.answer(Order, `${key}-two`, approvals.ask, { error: { code: 'refused', message: 'too dear' } });
    await plane.until(async () => (await plane.read(Purchaser, key)).running?.awaits?.length === 1);
    await plane.answer(Order, `${key}-one`, approvals.ask, yes);
    await plane.result(bought);
    expect((await plane.read(Purchaser, key)).properties).toMatchObject({ heard: ['Approved', 'Refused', 'ann'] });
    // Nothing was raised twice.
    expect((await plane.read(Order, `${key}-one`)).version).toBe(2);
  }),
  scenario('S3.8', 'the time of a wait goes on in a new run, and the event is withdrawn', async (plane, key) => {
    await ordered(plane, key, '10s');
    await plane.goOn(Purchaser, key);
    await plane.until(async () => (await plane.read(Purchaser, key)).state === 'Content');
    expect((await plane.read(Purchaser, key)).properties).toMatchObject({
      heard: ['wait_timed_out', 'wait_timed_out', 'nobody'],
    });
  }),
  scenario('S3.2', 'an action that waits in a new run is aborted as before', async (plane, key) => {
    await ordered(plane, key, '2d');
    await plane.goOn(Purchaser, key);
    await plane.result(await plane.raise(Purchaser, key, 'stop'));
    expect(await plane.read(Purchaser, key)).toMatchObject({ state: 'Content', properties: { heard: [] } });
  }),
  scenario('A2', 'what is waited for, and until when, is in the snapshot', async (plane, key) => {
    await asked(plane, key);
    const { running, callbacks } = await plane.read(Order, key);
    expect(running?.awaits).toMatchObject([{ kind: 'answer', on: 'approvals.ask', until: callbacks![0]!.until }]);
    await plane.answer(Order, key, approvals.ask, yes);
    await plane.until(async () => (await plane.read(Order, key)).state === 'Approved');
  }),
  scenario('A2', 'another event ends the wait, and closes the address', async (plane, key) => {
    await asked(plane, key);
    await plane.result(await plane.raise(Order, key, 'withdraw'));
    expect(await plane.read(Order, key)).toMatchObject({ state: 'Withdrawn' });
    expect((await plane.read(Order, key)).callbacks).toBeUndefined();
  }),
  scenario(
    'A2',
    'an address raises its event once, in a stable state that serves others meanwhile',
    async (plane, key) => {
      await plane.result(await plane.create(Invoice, key, 'place', { amount: 5 }));
      await plane.until(async () => (await plane.read(Invoice, key)).state === 'Billed');
      await plane.result(await plane.raise(Invoice, key, 'remind'));
      await plane.answerAt(key, { output: { by: 'ann' } });
      await plane.until(async () => (await plane.read(Invoice, key)).state === 'Paid');
      await plane.answerAt(key, { output: { by: 'ann' } });
      expect((await rejection(plane.answerAt(key, { output: { by: 'bob' } }))).code).toBe('request_conflict');
      expect((await plane.read(Invoice, key)).properties).toMatchObject({ by: 'ann', reminders: 1 });
    },
  ),
  scenario('A2', 'an address is closed when its state is left', async (plane, key) => {
    await plane.result(await plane.create(Invoice, key, 'place', { amount: 5 }));
    await plane.until(async () => (await plane.read(Invoice, key)).state === 'Billed');
    const { addresses } = await plane.read(Invoice, key);
    expect(addresses).toMatchObject([{ event: 'paid', open: true }]);
    await plane.result(await plane.raise(Invoice, key, 'rebill'));
    await plane.until(async () => (await plane.read(Invoice, key)).addresses?.[0]?.open === true);
    expect((await plane.read(Invoice, key)).addresses).toHaveLength(1);
    expect((await plane.read(Invoice, key)).addresses?.[0]?.id).not.toBe(addresses![0]!.id);
  }),
  scenario(
    'S1.5',
    'an operation lasts while an entity waits for an answer from outside, and through what that sets off (A2)',
    async (plane, key) => {
      const deployed = await plane.create(Node, key, 'deploy', { image: 'debian' });
      await plane.until(async () => (await plane.read(Node, key)).state === 'WaitCallback');
      // It serves other events meanwhile, whose operations wait here too.
      const looked = await plane.raise(Node, key, 'look');
      await plane.until(async () => (await plane.read(Node, key)).properties['looks'] === 1);
      expect((await plane.read(Node, key)).awaiting).toEqual([deployed.requestId, looked.requestId]);
      await plane.answerAt(key, { output: { disk: 'sda' } });
      expect(await plane.result(deployed)).toMatchObject({ outcome: 'success' });
      expect(await plane.result(looked)).toMatchObject({ outcome: 'success' });
      expect(await plane.read(Node, key)).toMatchObject({ state: 'Active', awaiting: [], properties: { disk: 'sda' } });
      await plane.until(async () => operationOf(plane, key, 'written') !== undefined);
      expect(operationOf(plane, key, 'written')).toBe(deployed.requestId);
    },
  ),
  scenario(
    'S4.5',
    'a limit goes on across several states, from entering them until leaving them',
    async (plane, key) => {
      for (const bake of [() => plane.create(Loaf, key, 'bake'), () => plane.raise(Loaf, key, 'bake')]) {
        expect(await plane.result(await bake())).toMatchObject({ outcome: 'failed' });
        const { state, properties } = await plane.read(Loaf, key);
        expect(state).toBe('Spoilt');
        // It has gone from state to state meanwhile, which would have begun a deadline of each state anew.
        expect(properties['turns']).toBeGreaterThan(0);
      }
    },
  ),
  scenario(
    'S3.5',
    'attempts end by the kind of error, and none begins before a provider lets it',
    async (plane, key) => {
      const deployed = async (image: string) => {
        const taken = await plane.raise(Node, key, 'deploy', { image });
        await plane.until(async () => (await plane.read(Node, key)).addresses?.[0]?.open === true);
        await plane.answerAt(key, { output: { disk: 'sda' } });
        return plane.result(taken);
      };
      const created = await plane.create(Node, key, 'deploy', { image: 'broken' });
      await plane.until(async () => (await plane.read(Node, key)).addresses?.[0]?.open === true);
      await plane.answerAt(key, { output: { disk: 'sda' } });
      expect(await plane.result(created)).toMatchObject({ outcome: 'failed', errors: [{ code: 'invalid_image' }] });
      expect((await plane.read(Node, key)).state).toBe('Refused');
      expect(await deployed('large')).toMatchObject({ outcome: 'success' });
      const waits = plane
        .records()
        .flatMap((each) =>
          each.kind === 'transition' && each.entity.key === key && each.error?.code === 'quota_exceeded'
            ? [each.error.retryAfterMs]
            : [],
        );
      // More than the common limit.
      expect(waits.length).toBeGreaterThan(3);
      expect(new Set(waits)).toEqual(new Set([1_200]));
      expect((await plane.read(Node, key)).failedBy).toBeUndefined();
    },
  ),
  scenario('A3', 'a collector takes the first answer, and closes the other questions', async (plane, key) => {
    await surveyed(plane, key);
    const collected = await plane.raise(Survey, key, 'collect', {
      parts: parts('write', 'phone', 'phone', 'write'),
      ...{ until: 'first', within: 60_000 },
    });
    await plane.result(collected);
    expect(await heard(plane, key)).toMatchObject({ answers: 1 });
    expect((await heard(plane, key))['heard']).toMatchObject(['superseded', expect.anything(), 20, 'superseded']);
    expect((await plane.read(Survey, key)).callbacks).toBeUndefined();
  }),
  scenario('A3', 'whoever was asked by a collector is told that it was decided without them', async (plane, key) => {
    await surveyed(plane, key);
    const calls = parts('write', 'phone', 'phone', 'write');
    await plane.result(await plane.raise(Survey, key, 'collect', { parts: calls, until: 'first', within: 60_000 }));
    await plane.until(async () => (await plane.read(Survey, key)).withdrawals === undefined);
    expect(partsOf(plane, key, 'superseded')).toEqual([0, 3]);
  }),
  scenario('A3', 'whoever has not answered a collector by its deadline is told so', async (plane, key) => {
    await surveyed(plane, key);
    const calls = parts('write', 'write', 'phone');
    const collected = await plane.raise(Survey, key, 'collect', { parts: calls, until: 'all', within: 10_000 });
    await plane.until(async () => (await waitsFor(plane, key)) === 2);
    await plane.answer(Survey, key, crowd.write, { output: { said: 7 } });
    await plane.result(collected);
    await plane.until(async () => (await plane.read(Survey, key)).withdrawals === undefined);
    // The other one was answered.
    expect(partsOf(plane, key, 'superseded')).toEqual([0]);
  }),
  scenario('A1', 'whoever was asked is told that an operator has given the question up', async (plane, key) => {
    await surveyed(plane, key);
    const raised = await plane.raise(Survey, key, 'ask', { way: 'write', part: 4 });
    await plane.until(async () => (await waitsFor(plane, key)) === 1);
    const [round] = (await plane.read(Survey, key)).callbacks!;
    await plane.raise(Survey, key, REVOKE_EVENT, { callback: round!.id });
    expect(await plane.result(raised)).toMatchObject({ outcome: 'failed', errors: [{ code: 'call_revoked' }] });
    await plane.until(async () => plane.withdrawals(key).length > 0);
    const { id: question, idempotencyKey } = round!;
    expect(plane.withdrawals(key)[0]).toEqual({ input: { part: 4 }, question, idempotencyKey, reason: 'revoked' });
  }),
  scenario('A3', 'a collector wants so many answers, from people and programs', async (plane, key) => {
    await surveyed(plane, key);
    const calls = parts('write', 'phone', 'phone', 'phone', 'write');
    const collected = await plane.raise(Survey, key, 'collect', {
      parts: calls,
      ...{ until: { answers: 2 }, within: 60_000 },
    });
    await plane.until(async () => (await waitsFor(plane, key)) === 2);
    await plane.answer(Survey, key, crowd.write, { output: { said: 7 } });
    await plane.result(collected);
    const each = (await heard(plane, key))['heard'] as readonly unknown[];
    expect([each[0], each[2], each[4]]).toEqual(['superseded', 20, 7]);
    expect((await heard(plane, key))['answers']).toBe(2);
  }),
  scenario('A3', 'a collector with a deadline takes what is there by then', async (plane, key) => {
    await surveyed(plane, key);
    const collected = await plane.raise(Survey, key, 'collect', {
      parts: parts('phone', 'phone', 'phone', 'write'),
      ...{ until: 'deadline', within: 1_500 },
    });
    await plane.result(collected);
    // A worker that is lost meanwhile answers too late.
    const late = 'call_timed_out';
    const each = (await heard(plane, key))['heard'] as readonly unknown[];
    expect(each).toEqual([
      expect.toBeOneOf([0, late]),
      expect.toBeOneOf(['busy', late]),
      expect.toBeOneOf([20, late]),
      late,
    ]);
    expect((await heard(plane, key))['answers']).toBe(each.filter((one) => typeof one === 'number').length);
  }),
  scenario('A3', 'a collector that is empty ends at once, and one that cannot get all ends too', async (plane, key) => {
    await surveyed(plane, key);
    const none = { parts: [], until: 'all', within: 60_000 };
    await plane.result(await plane.raise(Survey, key, 'collect', none));
    expect(await heard(plane, key)).toMatchObject({ heard: [], answers: 0 });
    const some = { parts: parts('glance', 'glance', 'write'), until: 'all', within: 60_000 };
    await plane.result(await plane.raise(Survey, key, 'collect', some));
    expect(await heard(plane, key)).toMatchObject({ heard: [0, 'busy', 'superseded'], answers: 0 });
  }),
  scenario(
    'A4',
    'each operation is told: how it began and how it ended, also after attempts that failed',
    async (plane, key) => {
      plane.fail(key, 2);
      const placed = await plane.create(Box, key, 'place', { label: 'first' });
      await plane.result(placed);
      const broken = await plane.raise(Box, key, 'break');
      await plane.result(broken);
      const told = ({ requestId }: { readonly requestId: string }) =>
        plane.records().find((each) => each.kind === 'operation' && each.id === requestId) as
          OperationRecord | undefined;
      await plane.until(async () => [placed, broken].every((each) => told(each)?.endedAt !== undefined));
      expect(told(placed)).toMatchObject({ name: `place Box/${key}`, outcome: 'success' });
      expect(told(placed)!.endedAt).toBeGreaterThanOrEqual(told(placed)!.startedAt);
      expect(told(broken)).toMatchObject({ outcome: 'failed', error: { code: 'defect' } });
    },
  ),
  scenario('A6', 'each transition is told, without a gap, whatever workers forget', async (plane, key) => {
    await plane.result(await plane.create(Box, key, 'place', { label: 'first' }));
    for (const label of ['second', 'third', 'fourth']) {
      await plane.forget(Box, key);
      await plane.result(await plane.raise(Box, key, 'relabel', { label }));
    }
    const { version, life } = await plane.read(Box, key);
    const told = () =>
      plane
        .records()
        .flatMap((each) => (each.kind === 'transition' && each.entity.life === life ? [each.version] : []))
        .sort((one, other) => one - other);
    await plane.until(async () => told().length >= version);
    expect(told()).toEqual(Array.from({ length: version }, (_, index) => index + 1));
  }),
  scenario('A5', 'a call runs on the worker that made an earlier one', async (plane, key) => {
    await plane.result(await plane.create(Film, key, 'cut', { scenes: 3 }));
    const { cutAt, on } = (await plane.read(Film, key)).properties as { cutAt: string[]; on: Affinity };
    expect(cutAt).toHaveLength(3);
    expect(cutAt.at(-1)).toBe(on.worker);
  }),
  scenario(
    'A5',
    'a call whose worker does not live any more fails, and its action decides',
    async (plane, key) => {
      await plane.result(await plane.create(Film, key, 'cut', { scenes: 1 }));
      const before = (await plane.read(Film, key)).properties as { loads: number; on: Affinity };
      await plane.replaceWorker();
      await plane.result(await plane.raise(Film, key, 'cut', { scenes: 2 }));
      const after = (await plane.read(Film, key)).properties as { loads: number; on: Affinity; cutAt: string[] };
      expect(after.loads).toBeGreaterThan(before.loads);
      expect(after.on.worker).not.toBe(before.on.worker);
      expect(after.cutAt).toHaveLength(2);
    },
    { alone: true },
  ),
  ...(['phone', 'glance', 'write'] as const).map((way) =>
    scenario('A7', `the same code asks by the way '${way}'`, async (plane, key) => {
      await surveyed(plane, key);
      const raised = await plane.raise(Survey, key, 'ask', { way, part: 4 });
      if (way === 'write') {
        await plane.until(async () => (await waitsFor(plane, key)) === 1);
        await plane.answer(Survey, key, crowd.write, { output: { said: 40 } });
      }
      await plane.result(raised);
      expect(await heard(plane, key)).toMatchObject({ heard: [40] });
    }),
  ),
];
