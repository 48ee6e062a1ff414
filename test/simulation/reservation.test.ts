import { describe, expect, it } from 'vitest';
import { fakeResource, simulate, type Simulation } from '../../src/simulation/index.js';
import { allowedEvents } from '../../src/kernel/rules/allowed-events.js';
import { describeSnapshot } from '../../src/kernel/explain/describe.js';
import { account, clerk } from '../entities/bank-workflows.js';
import { Account, Clerk } from '../entities/bank.js';
import { Guard, guard } from '../entities/guard.js';
import { Twin, twin } from '../entities/twin.js';
import { seeds } from '../support/seeds.js';
import { shelf } from '../entities/box.js';

const fakes = fakeResource(shelf, { put: ({ name }) => ({ place: name.length }), look: () => ({ place: 70 }) });

/** Clerks who have nothing to do, and open accounts. */
async function bank(seed = 1): Promise<Simulation> {
  const sim = simulate([account, clerk], { resources: [fakes], seed });
  for (const key of ['a', 'b']) await sim.create(Account, key, 'open');
  for (const key of ['one', 'two', 'three']) await sim.construct(Clerk, key, {});
  await sim.settle();
  return sim;
}

/** The next call of an entity takes 10 seconds. */
const slow = (sim: Simulation, entity: string) =>
  sim.inject({ at: { entity, call: 'shelf.put' }, fault: 'lose-answer' });
const ponder = { account: 'a', lease: '1m' };

describe('reading another entity', () => {
  it('shows it as it is committed, and changes nothing there (S3.3, S3.7)', async () => {
    const sim = await bank();
    await sim.raise(Account, 'a', 'put', { amount: 5 });
    const before = sim.read(Account, 'a');
    await sim.raise(Clerk, 'one', 'look', { account: 'a' });
    await sim.settle();
    expect(sim.read(Clerk, 'one').properties).toMatchObject({ seen: [`Open 5 v${before.version} settled`] });
    expect(sim.read(Account, 'a')).toEqual(before);
  });

  it('finds nothing where there is no entity (S3.3)', async () => {
    const sim = await bank();
    for (const key of ['none', 'a']) {
      if (key === 'a') await sim.raise(Account, 'a', 'close');
      await sim.raise(Clerk, 'one', 'look', { account: key });
      await sim.settle();
      expect(sim.read(Clerk, 'one').properties).toMatchObject({ seen: ['nothing'] });
    }
  });

  it('is answered by a reserved entity too (S3.6)', async () => {
    const sim = await bank();
    slow(sim, 'Clerk/one');
    await sim.raise(Clerk, 'one', 'ponder', ponder);
    await sim.advance('1s');
    await sim.raise(Clerk, 'two', 'look', { account: 'a' });
    await sim.advance('1s');
    expect(sim.read(Account, 'a').reservation).toMatchObject({ owner: { key: 'one' } });
    expect(sim.read(Clerk, 'two').properties).toMatchObject({ seen: [expect.stringMatching(/^Open 0 v\d settled$/)] });
  });
});

describe('a reservation', () => {
  it('lets the events of others wait, visibly, and the owner act (S3.6)', async () => {
    const sim = await bank();
    slow(sim, 'Clerk/one');
    await sim.raise(Clerk, 'one', 'ponder', ponder);
    await sim.advance('1s');
    const taken = await sim.raise(Account, 'a', 'put', { amount: 10 });
    expect(taken.answer).toMatchObject({ status: 'waiting', behind: 'the reservation by Clerk/one' });
    expect(allowedEvents(Account, sim.read(Account, 'a'))).toContainEqual({
      event: 'put',
      allowed: true,
      behind: 'the reservation by Clerk/one',
    });
    const shown = describeSnapshot(Account, sim.read(Account, 'a'));
    expect(shown).toMatch(/Reserved by Clerk\/one until 2026-\S+ at most/);
    expect(shown).toContain('Waiting events: put');
    expect(describeSnapshot(Clerk, sim.read(Clerk, 'one'))).toContain('Has reserved Account/a until');
    await sim.advance('8s');
    expect(sim.read(Account, 'a').properties).toMatchObject({ balance: 0 });
    await sim.settle();
    expect(sim.read(Clerk, 'one').properties).toMatchObject({ seen: ['Open'], fence: 1 });
    const after = sim.read(Account, 'a');
    expect(after).toMatchObject({ properties: { balance: 11 }, reservers: [], fence: 1 });
    expect(after.reservation).toBeUndefined();
  });

  it('lets run what the owner sets off, so that it settles (S3.6)', async () => {
    const sim = await bank();
    slow(sim, 'Account/a');
    await sim.raise(Clerk, 'one', 'ponder', { ...ponder, count: true });
    await sim.advance('1s');
    expect(sim.read(Account, 'a')).toMatchObject({ state: 'Counting', reservation: { used: true } });
    await sim.settle();
    expect(sim.read(Clerk, 'one').properties).toMatchObject({ seen: ['Open'] });
  });

  it('lets timers and automatic actions wait (S3.6)', async () => {
    const sim = await bank();
    sim.inject({ at: { entity: 'Account/a', call: 'shelf.put' }, fault: 'fail' });
    await sim.raise(Account, 'a', 'count');
    await sim.advance('500ms');
    expect(sim.read(Account, 'a')).toMatchObject({ state: 'Counting', attempt: 1 });
    slow(sim, 'Clerk/one');
    await sim.raise(Clerk, 'one', 'ponder', ponder);
    await sim.advance('5s');
    expect(sim.read(Account, 'a')).toMatchObject({ state: 'Counting', attempt: 1 });
    await sim.settle();
    expect(sim.read(Account, 'a')).toMatchObject({ state: 'Open', properties: { balance: 1 } });

    const { interest } = sim.read(Account, 'b').ticks;
    const { ticks } = sim.read(Account, 'b').properties;
    await sim.advance(interest! - 2_000 - sim.now);
    slow(sim, 'Clerk/two');
    await sim.raise(Clerk, 'two', 'ponder', { ...ponder, account: 'b' });
    await sim.advance('5s');
    expect(sim.read(Account, 'b').properties).toMatchObject({ ticks });
    await sim.settle();
    expect(sim.read(Account, 'b').properties).toMatchObject({ ticks: Number(ticks) + 1, balance: 1 });
  });

  it('ends with its lease, and its owner cannot act by it any more (S3.6)', async () => {
    const sim = await bank();
    slow(sim, 'Clerk/one');
    await sim.raise(Clerk, 'one', 'ponder', { ...ponder, lease: '5s' });
    await sim.advance('1s');
    await sim.raise(Account, 'a', 'put', { amount: 10 });
    await sim.advance('5s');
    expect(sim.read(Account, 'a').properties).toMatchObject({ balance: 10 });
    await sim.settle();
    expect(sim.read(Clerk, 'one').lastError).toMatchObject({ code: 'reservation_ended' });
    expect(sim.read(Account, 'a').properties).toMatchObject({ balance: 10 });
  });

  it('ends with its lease at the latest when its owner is lost (S3.6)', async () => {
    const sim = await bank();
    slow(sim, 'Clerk/one');
    await sim.raise(Clerk, 'one', 'ponder', { ...ponder, lease: '5s' });
    await sim.advance('1s');
    sim.terminate(Clerk, 'one');
    await sim.raise(Account, 'a', 'put', { amount: 10 });
    // The keeper may tell of the loss sooner.
    await sim.advance('4s');
    expect(sim.read(Account, 'a').properties).toMatchObject({ balance: 10 });
  });

  it('ends within minutes when its owner is lost, however long its lease is, also where nobody tells of it (S3.6, S4.4, owner-look.2)', async () => {
    const sim = await bank();
    slow(sim, 'Clerk/one');
    await sim.raise(Clerk, 'one', 'ponder', { ...ponder, lease: '12h' });
    await sim.advance('1s');
    sim.terminate(Clerk, 'one', { untold: true });
    const put = await sim.raise(Account, 'a', 'put', { amount: 10 });
    expect(put.answer.status).toBe('waiting');
    const before = sim.now;
    expect((await sim.result(put)).outcome).toBe('success');
    expect(sim.now - before).toBeLessThan(120_000);
  });

  it('lasts for the operation when it is asked to, and ends with it (S3.6)', async () => {
    const sim = await bank();
    sim.inject({ at: { entity: 'Clerk/one', call: 'shelf.put' }, fault: 'lose-answer' });
    await sim.raise(Clerk, 'one', 'pay', { account: 'a' });
    await sim.advance('2s');
    expect(sim.read(Clerk, 'one').state).toBe('Paying');
    expect(sim.read(Account, 'a').reservation).toMatchObject({ hold: 'operation', owner: { key: 'one' } });
    await sim.raise(Account, 'a', 'put', { amount: 10 });
    await sim.advance('2s');
    expect(sim.read(Account, 'a').properties).toMatchObject({ balance: 0 });
    const before = sim.now;
    await sim.settle();
    expect(sim.now - before).toBeLessThan(20_000);
    expect(sim.read(Account, 'a').properties).toMatchObject({ balance: 11 });
    expect(sim.read(Account, 'a').reservation).toBeUndefined();
  });

  it('is taken in key order, whatever the order in the call (S3.6)', async () => {
    const sim = await bank();
    await sim.raise(Clerk, 'one', 'transfer', { from: 'b', to: 'a', amount: 3 });
    await sim.raise(Clerk, 'two', 'transfer', { from: 'a', to: 'b', amount: 1 });
    await sim.settle();
    expect(sim.read(Account, 'a').properties).toMatchObject({ balance: 2 });
    expect(sim.read(Account, 'b').properties).toMatchObject({ balance: -2 });
    expect(sim.read(Clerk, 'one').properties['seen']).toHaveLength(2);
  });

  it('of something lower than what is held is a mistake, and of the same a new lease (S3.6, holding.1)', async () => {
    const sim = await bank();
    await sim.raise(Clerk, 'one', 'pick', { accounts: ['b', 'a'] });
    await sim.settle();
    expect(sim.read(Clerk, 'one').lastError).toMatchObject({ code: 'reservation_order' });
    expect(sim.read(Account, 'b').reservation).toBeUndefined();
    await sim.raise(Clerk, 'two', 'pick', { accounts: ['a', 'b', 'a', 'none'] });
    await sim.settle();
    const open = expect.stringMatching(/^Open/);
    expect(sim.read(Clerk, 'two').properties['seen']).toEqual([open, open, open, 'nothing']);
    expect(sim.read(Account, 'a')).toMatchObject({ fence: 2, reservers: [] });
  });

  it('is granted in the order of asking (S3.6, reservation.1)', async () => {
    const sim = await bank();
    for (const key of ['one', 'two', 'three']) {
      slow(sim, `Clerk/${key}`);
      await sim.raise(Clerk, key, 'ponder', ponder);
      await sim.advance('100ms');
    }
    expect(sim.read(Account, 'a').reservers.map(({ from }) => from.key)).toEqual(['two', 'three']);
    await sim.settle();
    expect(['one', 'two', 'three'].map((key) => sim.read(Clerk, key).properties['fence'])).toEqual([1, 2, 3]);
  });

  it('keeps nobody from what was due before it was asked for, however often others reserve (S3.6, reservation.1)', async () => {
    for (const seed of seeds(4)) {
      const sim = simulate([account, guard], { resources: [fakes], seed });
      await sim.create(Account, 'a', 'open');
      await sim.advance('3560s');
      for (const key of ['one', 'two']) {
        await sim.construct(Guard, key, {});
        await sim.advance('1s');
      }
      await sim.advance('10s');
      await sim.raise(Account, 'a', 'count');
      await sim.advance('20s');
      expect(sim.read(Account, 'a')).toMatchObject({ state: 'Open', properties: { ticks: 0 } });
      await sim.advance('20s');
      expect(sim.read(Account, 'a').properties).toMatchObject({ ticks: 1 });
      await sim.settle();
      const rounds = ['one', 'two'].map((key) => Number(sim.read(Guard, key).properties['rounds']));
      // One after the other, three seconds each.
      for (const each of rounds) expect(each).toBeGreaterThan(5);
    }
  });
});

describe('entities that wait for each other', () => {
  const NAMES =
    /wait for each other: (Clerk\/one -> Clerk\/two -> Clerk\/one|Clerk\/two -> Clerk\/one -> Clerk\/two)\./;

  it('both make progress when they reserve each other (S3.6, postpone.2)', async () => {
    for (const seed of seeds(50)) {
      const sim = await bank(seed);
      const before = sim.now;
      await Promise.all([
        sim.raise(Clerk, 'one', 'swap', { other: 'two' }),
        sim.raise(Clerk, 'two', 'swap', { other: 'one' }),
      ]);
      await sim.advance('10s');
      expect([sim.read(Clerk, 'one'), sim.read(Clerk, 'two')]).toMatchObject([
        { properties: { seen: ['two Idle'] }, waiting: [] },
        { properties: { seen: ['one Idle'] }, waiting: [] },
      ]);
      expect(sim.read(Clerk, 'one').enteredAt - before).toBeLessThan(5_000);
      await sim.settle();
    }
  });

  it('learn at once that their events would wait for ever, with the names of the circle (S3.8)', async () => {
    let refusals = 0;
    for (const seed of seeds(50)) {
      const sim = await bank(seed);
      const taken = await Promise.all([
        sim.raise(Clerk, 'one', 'ask', { other: 'two', event: 'nod' }),
        sim.raise(Clerk, 'two', 'ask', { other: 'one', event: 'nod' }),
      ]);
      await sim.advance('1s');
      const clerks = [sim.read(Clerk, 'one'), sim.read(Clerk, 'two')];
      expect(clerks.every(({ running, waiting }) => !running && waiting.length === 0)).toBe(true);
      const results = [await sim.result(taken[0]), await sim.result(taken[1])];
      const errors = results.flatMap((result) => result.errors);
      refusals += errors.length;
      for (const { code, message } of errors) {
        expect(code).toBe('deadlock');
        expect(message).toMatch(NAMES);
      }
      await sim.settle();
    }
    // In some orders one has answered before the other asks.
    expect(refusals).toBeGreaterThan(seeds(50).length / 5);
  });

  it('learn it over several steps, also where one reserves and another raises (S3.6, S3.8)', async () => {
    for (const seed of seeds(50)) {
      const sim = await bank(seed);
      await Promise.all([
        sim.raise(Clerk, 'one', 'swap', { other: 'two' }),
        sim.raise(Clerk, 'two', 'ask', { other: 'three', event: 'nod' }),
        sim.raise(Clerk, 'three', 'ask', { other: 'one', event: 'nod' }),
      ]);
      await sim.advance('10s');
      for (const key of ['one', 'two', 'three']) {
        const { running, postponed, waiting } = sim.read(Clerk, key);
        expect({ running, postponed, waiting }).toEqual({ waiting: [] });
      }
      expect(sim.read(Clerk, 'one').properties).toMatchObject({ seen: ['two Idle'] });
      await sim.settle();
    }
  });

  it('both make progress when one has asked for the other before that begins what it had to do (S3.6, S3.8)', async () => {
    for (const seed of seeds(20)) {
      const sim = simulate([twin], { resources: [fakes], seed });
      for (const key of ['a', 'b', 'c']) await sim.construct(Twin, key, {});
      const before = sim.now;
      sim.inject({ at: { entity: 'Twin/a', call: 'shelf.put' }, fault: 'fail' });
      await sim.raise(Twin, 'a', 'work', { other: 'b' });
      await sim.advance('500ms');
      slow(sim, 'Twin/c');
      await sim.raise(Twin, 'c', 'work', { other: 'a' });
      await sim.advance('1s');
      await sim.raise(Twin, 'b', 'work', { other: 'a' });
      await sim.advance('1s');
      expect(sim.read(Twin, 'a')).toMatchObject({ attempt: 1, reservation: { owner: { key: 'c' } } });
      expect(sim.read(Twin, 'a').reservers).toMatchObject([{ from: { key: 'b' } }]);
      await sim.settle();
      for (const key of ['a', 'b', 'c']) {
        expect(sim.read(Twin, key)).toMatchObject({ state: 'Idle', properties: { done: 1 } });
      }
      // It began first, and was put off.
      expect(sim.read(Twin, 'a').enteredAt).toBe(sim.read(Twin, 'b').enteredAt + 100);
      expect(sim.now - before).toBeLessThan(20_000);
    }
  });

  it('are not refused where there is no circle (S3.8)', async () => {
    const sim = await bank();
    slow(sim, 'Clerk/two');
    await sim.raise(Clerk, 'two', 'swap', { other: 'three' });
    await sim.advance('1s');
    await sim.raise(Clerk, 'three', 'ask', { other: 'one', event: 'nod' });
    await sim.raise(Clerk, 'one', 'ask', { other: 'two', event: 'nod' });
    await sim.advance('1s');
    expect(describeSnapshot(Clerk, sim.read(Clerk, 'one'))).toContain('Waits that `nod` settles on Clerk/two, until');
    await sim.settle();
    expect(sim.read(Clerk, 'two').properties).toMatchObject({ seen: ['three Idle'] });
    expect(sim.read(Clerk, 'one').properties).toMatchObject({ seen: ['asked two'] });
    expect(sim.read(Clerk, 'three').properties).toMatchObject({ seen: ['asked one'] });
  });
});
