import { describe, expect, it } from 'vitest';
import { simulateComponents } from '../../tools/simulation/components/components.js';
import { seeds } from '../support/seeds.js';

describe('random trees of workflow components (W1, W2, W3, W4)', () => {
  it('keep the laws W-1 to W-8 after each step, with faults and new runs (`npm run simulate` takes thousands)', async () => {
    let steps = 0;
    for (const seed of seeds(100)) steps += (await simulateComponents(seed)).steps;
    expect(steps).toBeGreaterThan(100);
  });

  it('are the same whenever they are simulated with the same seed', async () => {
    const [once, again] = [await simulateComponents(7), await simulateComponents(7)];
    expect(again.trace).toEqual(once.trace);
  });
});
