import { describe, expect, it } from 'vitest';
import { fakeResource, simulate, type Simulation } from '../../src/simulation/index.js';
import { shelf } from '../entities/box.js';
import { errand, Purse, purse, Transfer, transfer } from '../entities/transfer.js';
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
    for (const seed of seeds(150)) {
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
});
