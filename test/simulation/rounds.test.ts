import { describe, expect, it } from 'vitest';
import { simulate } from '../../src/simulation/index.js';
import { Carousel, carousel } from '../entities/round.js';

describe('what goes round with a pause', () => {
  it('goes on for as long as it likes (S1.5a)', async () => {
    const sim = simulate([carousel], { faults: { rollOver: 0.1, crash: 0.02 } });
    const result = await sim.result(await sim.create(Carousel, 'k', 'turn', { paced: true, most: 400 }));
    expect(result.outcome).toBe('success');
    expect(sim.read(Carousel, 'k')).toMatchObject({ state: 'Over', properties: { rounds: 400 } });
  });
});
