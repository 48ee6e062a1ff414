/** Scenarios for S3, actions and transitions, S4, workflows and subscriptions, and Q1, history. */
import { expect } from 'vitest';
import { RETRY_EVENT } from '../../src/protocol/names.js';
import { simulate } from '../../src/simulation/index.js';
import { Asker, lookedAt } from '../entities/asker.js';
import { Account, Clerk } from '../entities/bank.js';
import { Errand, Purse, Transfer } from '../entities/transfer.js';
import { Box, Room } from '../entities/box.js';
import { Candle } from '../entities/candle.js';
import { Fleet, Ship } from '../entities/fleet.js';
import { Batch, Job, Plan } from '../entities/job.js';
import { List } from '../entities/list.js';
import { Basket } from '../entities/basket.js';
import { Pair } from '../entities/pair.js';
import { approvals, Order } from '../entities/order.js';
import { part } from '../support/seeds.js';
import { place } from './entities-and-events.js';

import { Buyer } from '../entities/buyer.js';
import { doubledMeter, Meter } from './meter.js';
import type { Plane } from './plane.js';
import { scenario } from './scenario.js';

async function openAccount(plane: Plane, key: string): Promise<void> {
  await plane.result(await plane.create(Account, key, 'open'));
}

/** Two purses with money, and how to move some from one to the other. */
async function openPurses(plane: Plane, key: string): Promise<{ from: string; to: string; amount: number }> {
  const [from, to] = [`${key}-a`, `${key}-b`] as const;
  for (const each of [from, to]) await plane.result(await plane.create(Purse, each, 'open', { money: 100 }));
  return { from, to, amount: 10 };
}

async function moneyOf(plane: Plane, key: string): Promise<readonly unknown[]> {
  const purses = [await plane.read(Purse, `${key}-a`), await plane.read(Purse, `${key}-b`)];
  return purses.map(({ properties }) => properties['money']);
}

async function reservations(plane: Plane, key: string): Promise<number> {
  const purses = [await plane.read(Purse, `${key}-a`), await plane.read(Purse, `${key}-b`)];
  return purses.filter(({ reservation }) => reservation).length;
}

export const actionsAndWorkflows = [
  scenario('S3.1', 'an undeclared target is refused, and the action has failed', async (plane, key) => {
    const result = await plane.result(await plane.create(Meter, key, 'stray'));
    expect(result).toMatchObject({ outcome: 'failed', errors: [{ code: 'undeclared_target' }] });
    expect((await plane.read(Meter, key)).state).toBe('Low');
  }),
  scenario('S3.2', 'an action that throws or breaks a constraint changes nothing', async (plane, key) => {
    await place(plane, key);
    const broken = await plane.result(await plane.raise(Box, key, 'break'));
    expect(broken.errors).toMatchObject([{ code: 'defect', message: expect.stringContaining('TypeError') as string }]);
    expect((await plane.read(Box, key)).properties['label']).toBe('first');
    const high = await plane.result(await plane.create(Meter, key, 'set', { value: 11 }));
    expect(high.errors).toMatchObject([{ code: 'constraint_violated' }]);
    expect((await plane.read(Meter, key)).properties['value']).toBe(0);
  }),
  scenario('S3.2', 'an event that aborts an action begins when the call of that has ended', async (plane, key) => {
    const { letGo } = plane.hold(Job, key);
    await plane.create(Job, key, 'start');
    await plane.until(async () => (await plane.read(Job, key)).running?.calls !== undefined);
    const stopped = await plane.raise(Job, key, 'stop');
    expect(stopped.answer).toMatchObject({ status: 'waiting', behind: 'the abort of work' });
    expect((await plane.result(stopped)).outcome).toBe('success');
    letGo();
    const rows = () =>
      plane.records().flatMap((each) => (each.kind === 'transition' && each.entity.key === key ? each : []));
    await plane.until(async () => rows().some(({ action }) => action === 'stop'));
    const aborted = rows().find(({ outcome }) => outcome === 'aborted');
    const [call] = aborted?.calls ?? [];
    expect(call).toMatchObject({ call: 'machines.work', endedAt: expect.any(Number) as number });
    expect(call?.error?.message).toContain('machines.work was aborted with its action, and has ');
    const [stop] = rows().filter(({ action }) => action === 'stop');
    expect(stop!.actionStartedAt).toBeGreaterThanOrEqual(call!.endedAt!);
  }),
  scenario('S3.3', 'actions create, raise, wait, read, and see what came of it', async (plane, key) => {
    await plane.result(await plane.create(Plan, key, 'carryOut', { jobs: [`${key}-a`] }));
    expect((await plane.read(Plan, key)).properties['batch']).toBe('Finished');
    expect((await plane.read(Batch, key)).successors).toMatchObject([{ event: 'settled', outcome: { state: 'Done' } }]);
    await openAccount(plane, key);
    await plane.result(await plane.create(Clerk, key, 'look', { account: key }));
    expect((await plane.read(Clerk, key)).properties['seen']).toEqual([expect.stringMatching(/^Open 0 v\d+ settled$/)]);
  }),
  scenario('S3.4', 'a call has the same idempotency key in every attempt', async (plane, key) => {
    plane.fail(key, 2);
    await place(plane, key);
    expect(plane.keys(key).length).toBeGreaterThanOrEqual(3);
    expect(new Set(plane.keys(key)).size).toBe(1);
  }),
  scenario(
    'S3.4',
    'a next round has new keys and new attempts, and a failed one is tried again',
    async (plane, key) => {
      plane.fail(key, 2);
      const left = ['tea', 'milk', 'bread', 'jam', 'salt'];
      const { outcome } = await plane.result(await plane.create(List, key, 'start', { left, again: 'round' }));
      expect(outcome).toBe('success');
      expect(plane.notes(key)).toEqual(left);
      const rows = () =>
        plane
          .records()
          .flatMap((each) => (each.kind === 'transition' && each.entity.key === key ? each : []))
          .filter(({ action }) => action === 'write')
          .sort((one, other) => one.version - other.version);
      await plane.until(async () => rows().at(-1)?.endState === 'Done');
      const written = rows();
      const failed = written.filter(({ outcome: how }) => how === 'failed');
      // The answer of a call that has failed may have been lost with its worker.
      expect(failed.length).toBeGreaterThan(0);
      expect(written.map(({ outcome: how, retries }) => [how, retries])).toEqual([
        ...failed.map((_, attempt) => ['failed', attempt]),
        ['success', failed.length],
        ...left.map(() => ['success', 0]),
      ]);
      expect(new Set(written.map(({ startEnteredAt }) => startEnteredAt)).size).toBe(1);
    },
  ),
  scenario('S3.4', 'another attempt does not do other work under a key that was answered', async (plane, key) => {
    const left = ['tea', 'milk', 'bread'];
    const result = await plane.result(await plane.create(List, key, 'start', { left, again: 'attempt' }));
    expect(result).toMatchObject({ outcome: 'failed', errors: [{ code: 'key_reused' }] });
    expect(result.errors[0]?.message).toContain(`'write' of List/${key} calls pad.note under the key List/${key}#`);
    expect(result.errors[0]?.message).toContain('end the action by nextRound()');
    expect(plane.notes(key)).toEqual(['tea']);
    // An operator says that it is other work.
    const again = await plane.result(await plane.raise(List, key, RETRY_EVENT));
    expect(again).toMatchObject({ outcome: 'failed', errors: [{ code: 'key_reused' }] });
    expect(plane.notes(key)).toEqual(['tea', 'milk']);
    expect((await plane.read(List, key)).properties['left']).toEqual(['bread']);
  }),
  scenario(
    'S3.4',
    'what an event has changed between two attempts is other work, with keys of its own',
    async (plane, key) => {
      const started = await plane.create(Basket, key, 'start', { item: 'tea' });
      await plane.until(async () => plane.notes(key).length > 0);
      await plane.raise(Basket, key, 'change', { item: 'milk' });
      expect(await plane.result(started)).toMatchObject({ outcome: 'success', errors: [] });
      expect(plane.notes(key)).toEqual(['tea', 'milk']);
    },
  ),
  scenario('S3.4', 'what is done side by side keeps its keys in each attempt', async (plane, key) => {
    const sides = [`${key}-left`, `${key}-right`];
    // In the first attempt only the right side gets to its second line.
    plane.fail(sides[0]!, 1);
    expect(await plane.result(await plane.create(Pair, key, 'start'))).toMatchObject({ outcome: 'success' });
    for (const side of sides) {
      expect(plane.notes(side)).toEqual(['first', 'after the first']);
      expect(new Set(plane.keys(side)).size).toBe(2);
    }
  }),
  scenario(
    'S3.5',
    'attempts are counted and delayed, and exhaustion leads where it is declared',
    async (plane, key) => {
      plane.fail(key, 1_000);
      const result = await plane.result(await plane.create(Box, key, 'place', { label: 'x' }));
      expect(result).toMatchObject({ outcome: 'failed', errors: [{ code: 'refused' }] });
      expect((await plane.read(Box, key)).state).toBe('Lost');
      expect(plane.keys(key).length).toBeGreaterThanOrEqual(4);
    },
  ),
  scenario('S3.5', 'attempts are used up also where a deadline fails between them', async (plane, key) => {
    await plane.create(Meter, key, 'strain');
    await plane.until(async () => (await plane.read(Meter, key)).state === 'Retired');
    // Begun, tried three times, and left; the rest is the deadline, which fails at least once between two attempts.
    expect((await plane.read(Meter, key)).version).toBeGreaterThanOrEqual(6);
  }),
  scenario('S3.6', 'while an entity is reserved, others wait, visibly, and the holder passes', async (plane, key) => {
    await openAccount(plane, key);
    const { letGo } = plane.hold(Clerk, key);
    const pondered = await plane.create(Clerk, key, 'ponder', { account: key, lease: '1m' });
    await plane.until(async () => (await plane.read(Account, key)).reservation !== undefined);
    const put = await plane.raise(Account, key, 'put', { amount: 5 });
    expect(put.answer.status).toBe('waiting');
    expect((await plane.read(Account, key)).properties['balance']).toBe(0);
    letGo();
    expect((await plane.result(pondered)).outcome).toBe('success');
    expect((await plane.result(put)).outcome).toBe('success');
    expect((await plane.read(Account, key)).properties['balance']).toBe(6);
    expect((await plane.read(Account, key)).reservation).toBeUndefined();
  }),
  scenario('S3.7', 'each transition has a version of its own, and is seen when it is committed', async (plane, key) => {
    await place(plane, key);
    const { version } = await plane.read(Box, key);
    for (const step of [1, 2, 3]) {
      await plane.result(await plane.raise(Box, key, 'relabel', { label: String(step) }));
      expect(await plane.read(Box, key)).toMatchObject({
        version: version + step,
        properties: { label: String(step) },
      });
    }
  }),
  scenario('S3.8', 'a raise that waits has a time limit', async (plane, key) => {
    const { letGo } = plane.hold(Box, key);
    await plane.create(Box, key, 'place', { label: 'x' });
    await plane.until(async () => (await plane.read(Box, key)).running?.action === 'put');
    const asked = await plane.create(Meter, key, 'ask', { box: key });
    await plane.until(async () => (await plane.read(Meter, key)).properties['heard'] === 'wait_timed_out');
    letGo();
    await plane.result(asked);
  }),
  scenario('S3.8', 'a wait that would close a circle is refused, with its names', async (plane, key) => {
    const [one, other] = [`${key}-one`, `${key}-other`];
    for (const each of [one, other]) await plane.result(await plane.create(Clerk, each, 'nod'));
    await openAccount(plane, key);
    // The other one is busy until each has an event of the other to wait for.
    const { letGo } = plane.hold(Clerk, other);
    const busy = await plane.raise(Clerk, other, 'ponder', { account: key, lease: '1m' });
    await plane.until(async () => (await plane.read(Account, key)).reservation !== undefined);
    const asked = await Promise.all([
      plane.raise(Clerk, other, 'ask', { other: one, event: 'nod' }),
      plane.raise(Clerk, one, 'ask', { other, event: 'nod' }),
    ]);
    letGo();
    expect((await plane.result(busy)).outcome).toBe('success');
    const errors = [];
    for (const each of asked) errors.push(...(await plane.result(each)).errors);
    // Where one was over before the other began, there was no circle; nothing hangs in either case.
    for (const { code, message } of errors) {
      expect(code).toBe('deadlock');
      expect(message).toMatch(/Clerk\/\S+ -> Clerk\/\S+ -> Clerk\//);
    }
  }),
  scenario('S3.6', 'what is raised on reserved entities is admitted by all of them', async (plane, key) => {
    const move = await openPurses(plane, key);
    expect(await plane.result(await plane.create(Transfer, key, 'start', move))).toMatchObject({ outcome: 'success' });
    expect(await moneyOf(plane, key)).toEqual([90, 110]);
    await plane.until(async () => (await reservations(plane, key)) === 0);
  }),
  scenario('S3.6', 'where one would reject its event, nothing has happened anywhere', async (plane, key) => {
    const move = await openPurses(plane, key);
    await plane.result(await plane.raise(Purse, `${key}-b`, 'freeze'));
    const result = await plane.result(await plane.create(Transfer, key, 'start', { ...move, attempts: 1 }));
    expect(result.outcome).toBe('success');
    expect((await plane.read(Transfer, key)).state).toBe('Refused');
    expect(await moneyOf(plane, key)).toEqual([100, 100]);
    expect(await plane.read(Purse, `${key}-a`)).toMatchObject({ version: 1, waiting: [] });
    await plane.until(async () => (await reservations(plane, key)) === 0);
  }),
  scenario('S3.6', 'an action whose lease has ended fails, and is tried again', async (plane, key) => {
    const move = await openPurses(plane, key);
    const { letGo } = plane.hold(Transfer, key);
    const moved = await plane.create(Transfer, key, 'start', { ...move, lease: '5s' });
    await plane.until(async () => (await reservations(plane, key)) === 2);
    await plane.until(async () => (await reservations(plane, key)) === 0);
    letGo();
    expect((await plane.result(moved)).outcome).toBe('success');
    expect((await plane.read(Transfer, key)).version).toBeGreaterThan(2);
    expect(await moneyOf(plane, key)).toEqual([90, 110]);
  }),
  scenario(
    'S3.6',
    'an event that is rejected makes the operation failed, unless that is expected',
    async (plane, key) => {
      await openPurses(plane, key);
      await plane.construct(Errand, key, {});
      const outcomes = [];
      for (const mayBeRejected of [false, false, true]) {
        const { outcome } = await plane.result(
          await plane.raise(Errand, key, 'freeze', { purse: `${key}-a`, mayBeRejected }),
        );
        outcomes.push(outcome);
      }
      expect(outcomes).toEqual(['success', 'failed', 'success']);
    },
  ),
  scenario('S3.6', 'two that reserve each other both make progress', async (plane, key) => {
    const [left, right] = [`${key}-left`, `${key}-right`];
    const swaps = [
      await plane.create(Clerk, left, 'swap', { other: right }),
      await plane.create(Clerk, right, 'swap', { other: left }),
    ];
    for (const swap of swaps) expect((await plane.result(swap)).outcome).toBe('success');
    for (const each of [left, right]) expect((await plane.read(Clerk, each)).properties['seen']).toHaveLength(1);
  }),
  scenario('S3.9', 'actions are replaced without touching the declaration', async () => {
    const sim = simulate([doubledMeter]);
    await sim.result(await sim.create(Meter, 'm', 'set', { value: 4 }));
    expect(sim.read(Meter, 'm').properties['value']).toBe(8);
  }),
  scenario('S4.1', 'an entity survives the loss of its worker at any moment', async (plane, key) => {
    const { letGo } = plane.hold(Box, `${key}-a`);
    const taken = await plane.create(Room, key, 'furnish', { boxes: [`${key}-a`] });
    await plane.until(async () => (await plane.read(Room, key)).state === 'Waiting');
    await plane.until(async () => (await plane.read(Box, `${key}-a`)).running?.action === 'put');
    await plane.forget(Room, key);
    await plane.forget(Box, `${key}-a`);
    letGo();
    expect(await plane.result(taken)).toMatchObject({ outcome: 'success', errors: [] });
    expect(new Set(plane.keys(`${key}-a`)).size).toBe(1);
  }),
  scenario('S4.2', 'an operation ends when all have settled and all reports are judged', async (plane, key) => {
    const taken = await plane.create(Plan, key, 'carryOut', { jobs: [`${key}-a`, `${key}-b`] });
    const result = await plane.result(taken);
    expect(result.outcome).toBe('success');
    expect(result.participants.map(({ type, state }) => `${type} ${state}`).sort()).toEqual([
      'Batch Finished',
      'Job Done',
      'Job Done',
      'Plan Carried',
    ]);
  }),
  scenario(
    'S4.2',
    'an operation whose action raises again what another one has raised, ends as well',
    async (plane, key) => {
      plane.fail(lookedAt(key), 1_000);
      const begun = await plane.create(Asker, key, 'begin');
      await plane.until(async () => {
        const { attempt, running } = await plane.read(Asker, key);
        return attempt === 1 && running === undefined;
      });
      const nudged = await plane.raise(Asker, key, 'nudge');
      for (const each of [begun, nudged]) expect((await plane.result(each)).outcome).toBe('failed');
      await plane.until(async () => (await plane.read(Asker, key)).exhausted === true);
      plane.fail(lookedAt(key), 0);
      const resumed = await plane.raise(Asker, key, RETRY_EVENT);
      expect((await plane.result(resumed)).outcome).toBe('success');
      expect((await plane.read(Asker, key)).properties).toEqual({ heard: ['settled', 'settled'] });
    },
  ),
  scenario('S4.3', 'a subscription fires when its pattern appears, and has a time-out', async (plane, key) => {
    plane.fail(`${key}-b`, 1_000);
    const sad = await plane.result(await plane.create(Room, key, 'furnish', { boxes: [`${key}-a`, `${key}-b`] }));
    expect(sad.outcome).toBe('failed');
    expect((await plane.read(Room, key)).state).toBe('Failed');
    const tired = await plane.result(await plane.create(Candle, key, 'wait'));
    expect(tired.participants).toMatchObject([{ state: 'Out' }]);
  }),
  scenario('S4.4', 'a successor that an operator terminates is lost, and not waited for', async (plane, key) => {
    const { letGo } = plane.hold(Box, `${key}-a`);
    const taken = await plane.create(Room, key, 'furnish', { boxes: [`${key}-a`] });
    await plane.until(async () => (await plane.read(Room, key)).state === 'Waiting');
    await plane.until(async () => (await plane.read(Box, `${key}-a`)).running?.action === 'put');
    await plane.terminate(Box, `${key}-a`);
    const result = await plane.result(taken);
    letGo();
    expect(result).toMatchObject({ outcome: 'failed', errors: [{ code: 'lost' }] });
    expect((await plane.read(Room, key)).state).toBe('Failed');
  }),
  scenario(
    'S4.4',
    'what rests is told of losses: three of five ships are enough, and two are not',
    async (plane, key) => {
      const ships = [1, 2, 3, 4, 5].map((number) => `${key}-${number}`);
      await plane.result(await plane.create(Fleet, key, 'launch', { ships }));
      await plane.until(async () => (await plane.read(Fleet, key)).state === 'Ready');
      const losses = async () =>
        (await plane.read(Fleet, key)).successors.filter(({ outcome }) => outcome?.lost).length;
      for (const ship of ships.slice(3)) await plane.terminate(Ship, ship);
      await plane.until(async () => (await losses()) === 2);
      expect((await plane.read(Fleet, key)).state).toBe('Ready');
      await plane.terminate(Ship, ships[2]!);
      await plane.until(async () => (await plane.read(Fleet, key)).state === 'Degraded');
      expect(await losses()).toBe(3);
    },
  ),
  scenario('S4.5', 'periodic timers tick, and a deadline ends the state', async (plane, key) => {
    await plane.create(Candle, key, 'light');
    await plane.until(async () => (await plane.read(Candle, key)).state === 'Out');
    expect(Number((await plane.read(Candle, key)).properties['flickers'])).toBeGreaterThan(1);
  }),
  scenario('S4.6', 'many events at once are one batch, and each has its own answer', async (plane, key) => {
    await place(plane, key);
    const { version } = await plane.read(Box, key);
    const requests = Array.from({ length: 50 }, (_, index) => ({
      id: `${key}-${index}`,
      event: index === 25 ? 'paint' : 'relabel',
      ...(index !== 25 && { params: { label: String(index) } }),
    }));
    const answers = await plane.raiseAll(Box, key, requests);
    expect(answers.map(({ status }) => status).filter((status) => status === 'accepted')).toHaveLength(49);
    expect(answers[25]).toMatchObject({ status: 'rejected', rejection: { code: 'unknown_event' } });
    expect(await plane.read(Box, key)).toMatchObject({ version: version + 49, properties: { label: '49' } });
  }),
  scenario('S4.7', 'the answer tells the outcome, or the operation does later', async (plane, key) => {
    await plane.result(await plane.create(Job, key, 'start'));
    const start = (requestId: string, holdMs: number) =>
      plane.raise(Job, key, 'start', undefined, { requestId, holdMs });
    const quick = await start(`${key}-quick`, 5_000);
    expect(await plane.result(quick)).toMatchObject({ id: `${key}-quick`, outcome: 'success' });
    const { letGo } = plane.hold(Job, key);
    const slow = await start(`${key}-slow`, 1);
    expect(slow.answer).toEqual({ status: 'accepted', operation: `${key}-slow` });
    const repeated = await start(`${key}-slow`, 1);
    expect(repeated.answer).toMatchObject({ operation: `${key}-slow`, repeated: true });
    letGo();
    expect(await plane.result(slow)).toMatchObject({ id: `${key}-slow`, outcome: 'success' });
    expect((await plane.read(Job, key)).properties).toEqual({ runs: 3 });
  }),
  scenario('S4.7', 'cancel is a request that each entity answers as it declares', async (plane, key) => {
    // Where the work ends just before the request comes, there is nothing to cancel: then another one is tried.
    for (let round = 1; ; round++) {
      const name = `${key}-${round}`;
      const { letGo } = plane.hold(Job, `${name}-a`);
      const taken = await plane.create(Batch, name, 'run', { jobs: [`${name}-a`] });
      await plane.until(async () => (await plane.read(Job, `${name}-a`)).running?.action === 'work');
      await plane.cancel(taken.answer.operation);
      const { outcome, errors } = await plane.result(taken);
      letGo();
      const { state } = await plane.read(Job, `${name}-a`);
      expect({ outcome, errors }).toEqual({ outcome: state === 'Stopped' ? 'canceled' : 'success', errors: [] });
      if (outcome === 'canceled') return;
      expect(round).toBeLessThan(10);
    }
  }),
  scenario('S4.7', 'entities that refused to cancel are asked again, and may honour it then', async (plane, key) => {
    const bought = await plane.create(Buyer, key, 'buy');
    const { operation } = bought.answer;
    const refused = (by: string) =>
      plane
        .records()
        .some(
          (each) => each.kind === 'event' && each.operation === operation && each.id === `${operation}/cancel/${by}`,
        );
    await plane.until(async () => (await plane.read(Order, key)).running?.awaits !== undefined);
    await plane.cancel(operation);
    // The one does not take it in its state, and the other one declares no event for it.
    await plane.until(async () => refused(`Buyer/${key}`) && refused(`Order/${key}`));
    await plane.raise(Buyer, key, 'lose');
    await plane.until(async () => {
      // The operation hears of the refusals a moment later, and asks nobody twice before.
      await plane.cancel(operation);
      return (await plane.read(Buyer, key)).state === 'GivenUp';
    });
    await plane.answer(Order, key, approvals.ask, { output: { by: 'ann' } });
    const { outcome, errors, refusals } = await plane.result(bought);
    expect({ outcome, errors }).toEqual({ outcome: 'canceled', errors: [] });
    expect(refusals).toMatchObject([{ entity: `Order/${key}`, event: 'cancel', code: 'not_cancelable' }]);
  }),
  scenario(
    'S4.8',
    'an event of another operation interrupts, and the other one ends as declared',
    async (plane, key) => {
      const { letGo } = plane.hold(Job, key);
      const started = await plane.create(Job, key, 'start');
      await plane.until(async () => (await plane.read(Job, key)).running?.action === 'work');
      const stopped = await plane.raise(Job, key, 'stop', undefined, { requestId: `${key}-stop` });
      expect((await plane.result(started)).outcome).toBe('canceled');
      expect(await plane.result(stopped)).toMatchObject({ id: `${key}-stop`, outcome: 'success' });
      letGo();
    },
  ),
  // On a real service: age.test.ts.
  scenario(
    'Q1',
    'an entity of some age has lost nothing and knows its first request',
    async (plane, key) => {
      await place(plane, key);
      const { version } = await plane.read(Box, key);
      const request = (index: number) => ({
        id: `${key}-${index}`,
        event: 'relabel',
        params: { label: String(index) },
      });
      const events = 100 * part(15);
      for (let first = 0; first < events; first += 100) {
        const answers = await plane.raiseAll(
          Box,
          key,
          Array.from({ length: 100 }, (_, offset) => request(first + offset)),
        );
        // Where the run becomes long meanwhile, the rest waits for the next one.
        expect(answers.every(({ status }) => status !== 'rejected')).toBe(true);
      }
      await plane.until(async () => (await plane.read(Box, key)).version === version + events);
      expect(await plane.raiseAll(Box, key, [request(0)])).toMatchObject([{ status: 'accepted' }]);
      expect((await plane.read(Box, key)).version).toBe(version + events);
    },
    { simulated: true },
  ),
];
