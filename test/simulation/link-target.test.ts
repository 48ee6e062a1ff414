import { describe, expect, it } from 'vitest';
import { simulate, type Simulation } from '../../src/simulation/index.js';
import { depot, office, parcel } from '../entities/parcel-actions.js';
import { Depot, Office, Parcel } from '../entities/parcel.js';
import { seeds } from '../support/seeds.js';

const FAULTS = { crash: 0.2, delay: 0.3, double: 0.2, rollOver: 0.2 } as const;
const sender = { name: 'Ada', city: 'London' };

async function depots(seed: number, ...names: readonly string[]): Promise<Simulation> {
  const sim = simulate([depot, parcel, office], { seed, faults: FAULTS });
  for (const name of names) await sim.construct(Depot, name, {});
  return sim;
}

const create = (sim: Simulation, depotKey: string) => sim.construct(Parcel, 'p', { sender, depot: depotKey });
const failed = (code: string) => ({ outcome: 'failed', errors: [{ code }] });

describe('a link that asks for something to be there', () => {
  it.each(seeds(20))('leads to what was there when it was set, whatever goes wrong (S1.1), seed %i', async (seed) => {
    const sim = await depots(seed, 'north', 'south');
    await expect(create(sim, 'nowhere')).rejects.toMatchObject({
      rejection: { code: 'link_target_absent', issues: [{ path: 'construct.depot' }] },
    });
    expect(sim.exists(Parcel, 'p')).toBe(false);
    await create(sim, 'north');
    const bring = async (to: string) => sim.result(await sim.raise(Parcel, 'p', 'bring', { depot: to }));
    expect(await bring('south')).toMatchObject({ outcome: 'success' });
    expect(await bring('nowhere')).toMatchObject(failed('link_target_absent'));
    expect(sim.read(Parcel, 'p').links).toEqual({ depot: 'south', passed: ['north'] });
    await sim.raise(Depot, 'north', 'close');
    await sim.settle();
    // A target that it has led to since before may have ended; one that is set anew may not.
    expect(await bring('north')).toMatchObject(failed('link_target_absent'));
    await sim.construct(Depot, 'west', {});
    expect(await bring('west')).toMatchObject({ outcome: 'success' });
    expect(sim.read(Parcel, 'p').links).toEqual({ depot: 'west', passed: ['north', 'south'] });
    await sim.settle();
  });

  it.each(seeds(20))('is kept by those that others create, too (S1.1, S2.1), seed %i', async (seed) => {
    const sim = await depots(seed);
    await sim.construct(Office, 'o', {});
    const post = async (key: string, to: string, opens: boolean) =>
      sim.result(await sim.raise(Office, 'o', 'post', { parcel: key, depot: to, opens }));
    expect(await post('one', 'new', false)).toMatchObject(failed('link_target_absent'));
    expect(sim.exists(Parcel, 'one')).toBe(false);
    expect(await post('two', 'new', true)).toMatchObject({ outcome: 'success' });
    expect(await post('three', 'new', false)).toMatchObject({ outcome: 'success' });
    expect(['two', 'three'].map((key) => sim.read(Parcel, key).links['depot'])).toEqual(['new', 'new']);
    await sim.settle();
  });
});

describe('a fixed property', () => {
  it.each(seeds(5))('keeps the value that the construction gave it (S1.2, S3.2), seed %i', async (seed) => {
    const sim = await depots(seed);
    await sim.construct(Parcel, 'p', { sender });
    const correct = await sim.result(await sim.raise(Parcel, 'p', 'correct', { city: 'Paris' }));
    expect(correct).toMatchObject(failed('fixed_property_changed'));
    expect(sim.read(Parcel, 'p').properties).toEqual({ sender, kind: 'letter', weight: 1 });
    await sim.settle();
    // The same value is no change.
    expect(await sim.result(await sim.raise(Parcel, 'p', 'correct', { city: 'London' }))).toMatchObject({
      outcome: 'success',
    });
    expect(sim.read(Parcel, 'p').properties).toMatchObject({ sender, weight: 7 });
  });
});
