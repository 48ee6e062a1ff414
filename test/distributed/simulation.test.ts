import { describe, expect, it } from 'vitest';
import { simulateDistributed } from '../../tools/simulation/distributed/distributed.js';
import { seeds } from '../support/seeds.js';

describe('distributed operations whose executors, coordinators and primaries come and go (I1, I2, I3, I4, I5, I6)', () => {
  it('keep their laws after each step (`npm run simulate -- --only distributed` takes thousands)', async () => {
    let steps = 0;
    for (const seed of seeds(100)) steps += (await simulateDistributed(seed)).steps;
    expect(steps).toBeGreaterThan(1_000);
  });

  it('are the same whenever they are simulated with the same seed', async () => {
    const [once, again] = [await simulateDistributed(7), await simulateDistributed(7)];
    expect(again.trace).toEqual(once.trace);
  });
});
