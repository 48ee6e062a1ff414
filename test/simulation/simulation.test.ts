import { describe, expect, it } from 'vitest';
import { fakeResource, simulate, type FaultRates } from '../../src/simulation/index.js';
import { Box, Room, shelf } from '../entities/box.js';
import { box, room } from '../entities/workflows.js';

const fakeShelf = fakeResource(shelf, { put: ({ name }) => ({ place: name.length }), look: () => ({ place: 70 }) });
const start = (seed: number, faults: FaultRates = {}) =>
  simulate([box, room], { seed, resources: [fakeShelf], faults });

describe('a simulation', () => {
  it('runs an entity from its creation to its deletion (Q4)', async () => {
    const sim = start(1);
    await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.settle();
    expect(sim.read(Box, 'a')).toMatchObject({ state: 'Placed', properties: { place: 1, label: 'red' } });
    const looked = await sim.raise(Box, 'a', 'look');
    expect(await sim.result(looked)).toMatchObject({ outcome: 'success' });
    await sim.signal(Box, 'a', 'relabel', { label: 'blue' });
    expect(sim.read(Box, 'a').properties).toEqual({ place: 70, label: 'blue' });
    await sim.raise(Box, 'a', 'remove');
    await sim.settle();
    expect(sim.read(Box, 'a').state).toBe('Deleted');
    await expect(sim.raise(Box, 'a', 'look')).rejects.toMatchObject({ code: 'absent' });
  });

  const rates = { crash: 0.1, fail: 0.1, loseAnswer: 0.1, slow: 0.1, delay: 0.2, double: 0.2, rollOver: 0.1 };
  it('settles whatever happens on the way', async () => {
    const t = Date.now();
    let steps = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const sim = start(seed, rates);
      const taken = await sim.create(Room, 'r', 'furnish', { boxes: ['a', 'b', 'c'] });
      await sim.result(taken);
      await sim.settle();
      steps += sim.world.witness.step;
    }
    console.log('ms per seed', (Date.now() - t) / 300, 'steps per seed', steps / 300);
  });
});
