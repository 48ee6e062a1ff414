import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInCohort, parseCohorts } from '../../src/rollout/index.js';

describe('a cohort (Q2)', () => {
  it('is those whose id has a hash below its part, as Temporal decides: a workflow of a cohort is in all later ones', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ min: 0, max: 100, noNaN: true }), (id, percent) => {
        if (isInCohort(id, percent)) expect(isInCohort(id, Math.min(100, percent + 1))).toBe(true);
      }),
    );
    expect(isInCohort('Box/any', 0)).toBe(false);
    expect(isInCohort('Box/any', 100)).toBe(true);
  });

  it('holds about its part of many workflows', () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => `Counter/c${n}`);
    for (const percent of [1, 10, 50]) {
      const share = ids.filter((id) => isInCohort(id, percent)).length / 100;
      expect(Math.abs(share - percent)).toBeLessThan(2);
    }
  });

  it('is read from rising percentages, and nothing else', () => {
    expect(parseCohorts('1%,10%, 50 ,100%')).toEqual([1, 10, 50, 100]);
    expect(parseCohorts('0.5%')).toEqual([0.5]);
    for (const wrong of ['', '10,5', '101%', 'all', '10%,10%', '0'])
      expect(() => parseCohorts(wrong)).toThrow(RangeError);
  });
});
