import { describe, expect, it } from 'vitest';
import { fakeResource, simulate } from '../../src/simulation/index.js';
import { bay, Disk, disk, Rack, rack } from '../entities/rack.js';
import { seeds } from '../support/seeds.js';

const DISKS = ['a', 'b', 'c', 'd'];

/** Fills a rack with faults, against a resource that honours keys. */
async function filled(seed: number) {
  const done = new Map<string, string>();
  const once = (what: string, key: string) => {
    const before = done.get(key);
    if (before !== undefined && before !== what) throw new Error(`${key} stands for ${before}, and now for ${what}`);
    done.set(key, what);
  };
  const fake = fakeResource(bay, {
    make: (given, { idempotencyKey }) => {
      once(`make ${given.disk}`, idempotencyKey);
      return given;
    },
    attach: (given, { idempotencyKey }) => {
      once(`attach ${given.disk}`, idempotencyKey);
      return {};
    },
    seal: (given, { idempotencyKey }) => {
      once(`seal ${given.rack}`, idempotencyKey);
      return {};
    },
  });
  const faults = { slow: 0.4, fail: 0.15, loseAnswer: 0.15, crash: 0.1, rollOver: 0.2 };
  const sim = simulate([rack, disk], { resources: [fake], seed, faults });
  await sim.create(Rack, 'r', 'fill', { disks: DISKS });
  await sim.advance('3h');
  const told = DISKS.map((name) => sim.read(Disk, name).properties.told);
  return { done: [...done.values()].sort(), told, snapshot: sim.read(Rack, 'r') };
}

describe('an action that does several things side by side (S3.4, stable-names.1)', () => {
  it.each(seeds(60))('does each of them once, in whatever order answers come, with seed %i', async (seed) => {
    const { done, told, snapshot } = await filled(seed);
    expect(snapshot).toMatchObject({ state: 'Full' });
    const once = DISKS.flatMap((name) => [`make ${name}`, `attach ${name}`]);
    expect(done).toEqual([...once, 'seal r'].sort());
    expect(told).toEqual(DISKS.map(() => 1));
  });
});
