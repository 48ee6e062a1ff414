import { describe, expect, it } from 'vitest';
import { fakeResource, simulate, type Simulation } from '../../src/simulation/index.js';
import { Film, film, post, studio } from '../entities/film.js';
import { seeds } from '../support/seeds.js';

function films(seed = 1, onCut: (sim: Simulation) => void = () => undefined, faults = {}) {
  const resources = [
    fakeResource(studio, {
      load: (_, { affinity }) => ({ on: affinity() }),
      cut: (_, { affinity }) => {
        onCut(sim);
        return { at: affinity().worker };
      },
    }),
    fakeResource(post, { send: () => ({ by: 'post' }) }),
  ];
  const sim: Simulation = simulate([film], { resources, seed, faults });
  return sim;
}

describe('a call that is bound to the worker of an earlier one (A5)', () => {
  it.each(seeds(5))('runs there, with seed %i', async (seed) => {
    const sim = films(seed);
    await sim.create(Film, 'f', 'cut', { scenes: 3 });
    await sim.settle();
    expect(sim.read(Film, 'f')).toMatchObject({
      state: 'Cut',
      properties: { loads: 1, cutAt: ['worker 1', 'worker 1', 'worker 1'] },
    });
  });

  it('fails when that worker has died, and the action decides', async () => {
    let cuts = 0;
    const sim = films(1, (of) => {
      if (++cuts === 2) of.crashCallWorker();
    });
    await sim.create(Film, 'f', 'cut', { scenes: 4 });
    await sim.settle();
    expect(sim.read(Film, 'f')).toMatchObject({ state: 'Cut', properties: { loads: 2 } });
    const bound = sim.calls.filter(({ call }) => call === 'studio.cut');
    expect(new Set(bound.map(({ worker }) => worker)).size).toBe(2);
  });

  it('takes effect late on the worker that has taken it, even if that has died since', async () => {
    const sim = films();
    sim.inject({ at: { call: 'studio.cut' }, fault: 'late-effect' });
    await sim.create(Film, 'f', 'cut', { scenes: 1 });
    await sim.advance('1s');
    sim.crashCallWorker();
    await sim.settle();
    expect(sim.read(Film, 'f')).toMatchObject({ state: 'Cut', properties: { loads: 1, cutAt: ['worker 1'] } });
    expect(sim.calls.map(({ worker }) => worker)).toEqual(['worker 1', 'worker 1']);
  });

  it.each(seeds(20))('comes to its end whatever dies, with seed %i', async (seed) => {
    const sim = films(seed, () => undefined, { crash: 0.2, loseAnswer: 0.1 });
    await sim.create(Film, 'f', 'cut', { scenes: 3 });
    await sim.settle();
    expect(sim.read(Film, 'f').properties.cutAt).toHaveLength(3);
  });
});
