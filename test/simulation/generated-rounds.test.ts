import { describe, expect, it } from 'vitest';
import { Random } from '../../src/simulation/index.js';
import { simulateRounds, someRounds } from '../../tools/simulation/rounds/rounds.js';
import { seeds } from '../support/seeds.js';

describe('machines that may go round', () => {
  it('come to an end or pause, with each seed, and keep every invariant (S1.5a; `npm run simulate` takes thousands)', async () => {
    let rounds = 0;
    // With the tenth seed, something goes round.
    for (const seed of [10, ...seeds(9)]) {
      const { trace } = await simulateRounds(seed);
      if (trace.some((line) => line.includes('infinite_loop'))) rounds++;
    }
    expect(rounds).toBeGreaterThan(0);
  });

  it('are refused where they would go round in any case, or a pattern can never match (S1.5)', () => {
    const reasons = new Set(
      Array.from({ length: 60 }, (_, seed) =>
        someRounds(new Random(seed)).refused.map((each) => each.split(':')[0]),
      ).flat(),
    );
    expect([...reasons]).toEqual(
      expect.arrayContaining(['loops without a pause', 'fires without end', 'can never match', 'always matches']),
    );
  });
});
