import { describe, expect, it } from 'vitest';
import type { Figure } from '../../tools/bench/case.js';
import { compare } from '../../tools/bench/comparison.js';
import { growthsOf } from '../../tools/bench/scale/growth.js';

const figure = (budget?: Figure['budget']): Figure => ({
  name: 'ms',
  title: 'time',
  unit: 'ms',
  ...(budget && { budget }),
});
const ms = (...values: readonly number[]) => values.map((value) => ({ ms: value }));
const one = (budget: Figure['budget'], raw: readonly number[], reeve: readonly number[]) =>
  compare({ name: 'case', figures: [figure(budget)] }, { raw: ms(...raw), reeve: ms(...reeve) })[0];

describe('the comparison of both sides', () => {
  it('divides round by round, so that a machine that slows down slows down both', () => {
    expect(one(undefined, [10, 100, 20], [11, 110, 22])).toMatchObject({
      raw: { median: 20, low: 10, high: 100 },
      reeve: { median: 22, low: 11, high: 110 },
      ratio: { median: 1.1 },
    });
  });

  it('judges the ratio, or what Reeve does alone, by the budget', () => {
    expect(one({ of: 'ratio', atMost: 1.15 }, [10], [11.5])).toMatchObject({ met: true });
    expect(one({ of: 'ratio', atMost: 1.15 }, [10], [12])).toMatchObject({ met: false });
    expect(one({ of: 'ratio', atLeast: 1 }, [100], [99])).toMatchObject({ met: false });
    expect(one({ of: 'reeve', atLeast: 2_000 }, [9], [2_500])).toMatchObject({ met: true });
    expect(one(undefined, [1], [2])).not.toHaveProperty('met');
  });

  it('leaves out rounds in which nothing was done in time', () => {
    const row = one({ of: 'ratio', atMost: 2 }, [NaN, 10], [5, 15]);
    expect(row).toMatchObject({
      raw: { median: 10 },
      reeve: { median: 10 },
      ratio: { median: 1.5, low: 1.5 },
      met: true,
    });
  });

  it('judges nothing where the other side has done nothing', () => {
    const row = one({ of: 'ratio', atMost: 2 }, [NaN], [5]);
    expect(row).toMatchObject({ reeve: { median: 5 } });
    expect(row).not.toHaveProperty('met');
    expect(row).not.toHaveProperty('ratio');
  });
});

describe('what one costs among many', () => {
  const figures = [{ name: 'ms', title: 'time', unit: 'ms' as const }];
  const growths = (...values: readonly number[]) =>
    growthsOf(
      { name: 'case', figures },
      values.map((value, index) => ({ size: 10 ** index, values: { ms: value } })),
    )[0];

  it('is flat when it grows by a fifth at most, also when it falls', () => {
    expect(growths(10, 11, 12)).toMatchObject({ growth: 1.2, flat: true });
    expect(growths(30, 12, 10)).toMatchObject({ growth: 1, flat: true });
  });

  it('grows when any size costs more than the cheapest before it', () => {
    expect(growths(30, 10, 13)).toMatchObject({ growth: 1.3, flat: false });
  });

  it('is not flat when it could not be measured', () => {
    expect(growths(10, NaN)).toMatchObject({ flat: false });
  });
});
