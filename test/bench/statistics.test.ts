import { describe, expect, it } from 'vitest';
import { median, quantile, spread } from '../../tools/bench/statistics.js';

describe('statistics of the bench', () => {
  it('find the middle, whatever the order and the number of samples', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('find the value below which a share lies', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantile(hundred, 0.99)).toBe(100);
    expect(quantile(hundred, 0.5)).toBe(51);
    expect(quantile([7], 0.99)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('tell how far rounds lie apart', () => {
    expect(spread([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 });
  });
});
