import { describe, expect, it } from 'vitest';
import { simulate } from '../../src/simulation/index.js';
import { Beacon, beacon, Lookout, lookout } from '../entities/lookout.js';
import { seeds } from '../support/seeds.js';

const KEYS = ['east', 'west', 'north'];

describe('several that look after one entity, and ask it from within their actions', () => {
  it.each(seeds(20))('do not wait for what each owes to the others (S3.8, tracker.3, seed %i)', async (seed) => {
    const sim = simulate([beacon, lookout], { seed });
    await sim.create(Beacon, 'shared', 'light');
    for (const key of KEYS) await sim.create(Lookout, key, 'watch');
    await sim.settle();
    const startedAt = sim.now;
    for (const key of KEYS) await sim.raise(Lookout, key, 'ask');
    await sim.settle();
    expect(sim.now - startedAt).toBeLessThan(60_000);
    for (const key of KEYS) {
      expect(sim.read(Lookout, key)).toMatchObject({ state: 'Watching', properties: { heard: 'settled' } });
    }
  });
});
