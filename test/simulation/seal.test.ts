import { describe, expect, it } from 'vitest';
import { describeSnapshot } from '../../src/kernel/explain/describe.js';
import { explainEntity } from '../../src/kernel/explain/explain.js';
import { fakeResource, simulate, type Simulation } from '../../src/simulation/index.js';
import { shelf } from '../entities/box.js';
import { Errand, errand, Purse, purse, Transfer, transfer } from '../entities/transfer.js';
import { seeds } from '../support/seeds.js';

const fakes = fakeResource(shelf, { put: () => ({ place: 1 }), look: () => ({ place: 1 }) });
const faults = { crash: 0.1, slow: 0.5, delay: 0.3, double: 0.2, rollOver: 0.2 };
const money = (sim: Simulation) => ['a', 'b', 'c'].map((key) => Number(sim.read(Purse, key).properties['money']));

async function purses(options: Parameters<typeof simulate>[1] = {}): Promise<Simulation> {
  const sim = simulate([purse, transfer, errand], { ...options, resources: [fakes] });
  for (const key of ['a', 'b', 'c']) await sim.create(Purse, key, 'open', { money: 100 });
  return sim;
}

describe('a commit that raises events on what it has reserved', () => {
  it('is admitted by all or by none, however its leases end (S3.6)', async () => {
    let done = 0;
    for (const seed of seeds(40)) {
      const sim = await purses({ seed, faults });
      const moved = { one: ['a', 'b'], two: ['b', 'c'], three: ['c', 'a'], four: ['a', 'c'] };
      const taken = [];
      for (const [key, [from, to]] of Object.entries(moved)) {
        taken.push(
          await sim.create(Transfer, key, 'start', { from: from!, to: to!, amount: 10, lease: '1s', attempts: 100 }),
        );
      }
      await sim.settle();
      const expected = { a: 100, b: 100, c: 100 };
      for (const [index, [key, [from, to]]] of Object.entries(moved).entries()) {
        const { state } = sim.read(Transfer, key);
        expect((await sim.result(taken[index]!)).outcome).toBe(state === 'Done' ? 'success' : 'failed');
        if (state !== 'Done') continue;
        done++;
        expected[from as 'a'] -= 10;
        expected[to as 'a'] += 10;
      }
      expect(money(sim), `seed ${seed}`).toEqual(Object.values(expected));
    }
    expect(done).toBeGreaterThan(0);
  });

  it('has no effect anywhere when one of them would reject its event, and fails with that code (S3.6)', async () => {
    const sim = await purses();
    await sim.raise(Purse, 'b', 'freeze');
    const taken = await sim.create(Transfer, 'one', 'start', { from: 'a', to: 'b', amount: 10, attempts: 100 });
    const result = await sim.result(taken);
    expect(result).toMatchObject({ outcome: 'failed', errors: [{ kind: 'rejected', code: 'not_valid' }] });
    await sim.settle();
    expect(money(sim)).toEqual([100, 100, 100]);
    expect(sim.read(Purse, 'a')).toMatchObject({ version: 1, waiting: [] });
    expect(sim.read(Purse, 'a').reservation).toBeUndefined();
    expect(sim.read(Purse, 'b').reservation).toBeUndefined();
  });

  it('fails when a lease has ended by the clock of the reserved entity, and is tried again (S3.6)', async () => {
    const sim = await purses();
    sim.inject({ at: { entity: 'Transfer/one', message: 'seal' }, fault: 'delay' });
    const taken = await sim.create(Transfer, 'one', 'start', { from: 'a', to: 'b', amount: 10, lease: '10ms' });
    expect((await sim.result(taken)).outcome).toBe('success');
    expect(money(sim)).toEqual([90, 110, 100]);
    expect(sim.trace.join('\n')).toMatch(/stays Moving by 'move'.*error reservation_ended: 'add' was raised on Purse/);
  });

  it('fails when one of them is gone (S3.6)', async () => {
    const sim = await purses();
    sim.inject({ at: { entity: 'Transfer/one', call: 'shelf.put' }, fault: 'lose-answer' });
    const taken = await sim.create(Transfer, 'one', 'start', { from: 'a', to: 'b', amount: 10 });
    await sim.advance('1s');
    sim.terminate(Purse, 'b');
    expect(await sim.result(taken)).toMatchObject({ outcome: 'success' });
    expect(sim.read(Transfer, 'one').state).toBe('Refused');
    expect(sim.trace.join('\n')).toContain("error reservation_ended: 'add' was to be raised on Purse/b");
    await sim.settle();
    expect(sim.read(Purse, 'a').properties['money']).toBe(100);
  });

  it('shows while it waits for the answers, and no lease ends a seal (S3.6, S5.4)', async () => {
    const sim = await purses();
    sim.inject({ at: { entity: 'Purse/b', message: 'sealed' }, fault: 'delay' });
    const taken = await sim.create(Transfer, 'one', 'start', { from: 'a', to: 'b', amount: 10, lease: '10ms' });
    await sim.advance('9ms');
    const moving = sim.read(Transfer, 'one');
    expect(describeSnapshot(Transfer, moving)).toContain('Waits that Purse/b promises to admit `add`, until');
    expect(explainEntity(Transfer, moving)).toMatchObject([
      { kind: 'action', awaits: [{ kind: 'seal', on: 'Purse/b', event: 'add' }] },
    ]);
    const sealed = sim.read(Purse, 'a');
    expect(describeSnapshot(Purse, sealed)).toContain('Sealed: waits for the events of its owner');
    expect(explainEntity(Purse, sealed)).toMatchObject([{ kind: 'reserved', by: 'Transfer/one', sealed: true }]);
    expect((await sim.raise(Purse, 'a', 'add', { amount: 1 })).answer.status).toBe('waiting');
    expect((await sim.result(taken)).outcome).toBe('success');
    await sim.settle();
    expect(money(sim)).toEqual([91, 110, 100]);
    expect(sim.trace.join('\n')).not.toContain('reservation_ended');
  });

  it('releases what it had sealed when its operator has ended it (S3.6, S4.4, owner-look.2)', async () => {
    const sim = await purses();
    sim.inject({ at: { entity: 'Purse/b', message: 'sealed' }, fault: 'delay' });
    await sim.create(Transfer, 'one', 'start', { from: 'a', to: 'b', amount: 10, lease: '1s' });
    await sim.advance('9ms');
    sim.terminate(Transfer, 'one');
    const taken = await sim.raise(Purse, 'a', 'add', { amount: 1 });
    expect(taken.answer.status).toBe('waiting');
    const before = sim.now;
    expect((await sim.result(taken)).outcome).toBe('success');
    expect(sim.now - before).toBeLessThan(120_000);
    await sim.settle();
    expect(money(sim)).toEqual([101, 100, 100]);
  });

  it('may be one of several in an operation for which all is reserved (S3.6)', async () => {
    let walked = 0;
    for (const seed of seeds(30)) {
      const sim = await purses({ seed, faults });
      await sim.construct(Errand, 'one', {});
      const lease = seed % 2 === 0 ? '10m' : '2s';
      const walking = await sim.raise(Errand, 'one', 'walk', { times: 3, lease });
      for (const key of ['a', 'b']) await sim.raise(Purse, key, 'count');
      await sim.settle();
      const [a, b] = money(sim);
      expect(a, `seed ${seed}`).toBe(b);
      if ((await sim.result(walking)).outcome === 'success' && a === 103) walked++;
      for (const key of ['a', 'b']) expect(sim.read(Purse, key).reservation).toBeUndefined();
    }
    expect(walked).toBeGreaterThan(0);
  });
});

describe('an event that an action has raised and nobody asks about', () => {
  it('makes its operation failed when it is rejected, also by what is not there (S3.6, S5.1)', async () => {
    const sim = await purses();
    await sim.construct(Errand, 'one', {});
    const freeze = async (key: string, mayBeRejected = false) =>
      sim.result(await sim.raise(Errand, 'one', 'freeze', { purse: key, mayBeRejected }));
    expect((await freeze('a')).outcome).toBe('success');
    expect(await freeze('a')).toMatchObject({
      outcome: 'failed',
      errors: [{ kind: 'rejected', code: 'not_valid', entity: 'Purse/a', event: 'freeze' }],
    });
    expect(await freeze('none')).toMatchObject({
      outcome: 'failed',
      errors: [{ code: 'absent', entity: 'Purse/none' }],
    });
  });

  it('does not where its rejection is expected (S3.6)', async () => {
    const sim = await purses();
    await sim.construct(Errand, 'one', {});
    for (const purse of ['a', 'a', 'none']) {
      const result = await sim.result(await sim.raise(Errand, 'one', 'freeze', { purse, mayBeRejected: true }));
      expect(result).toMatchObject({ outcome: 'success', errors: [] });
    }
  });
});
