import { describe, expect, it } from 'vitest';
import { retryDelay } from '../../src/kernel/rules/retry.js';

describe('the delay before another attempt', () => {
  const [SECOND, MINUTE] = [1_000, 60_000];

  it('grows up to a minute where nothing is declared. S3.5', () => {
    expect([1, 2, 3, 6, 7, 50].map((executions) => retryDelay(undefined, executions))).toEqual(
      [1, 2, 4, 32, 60, 60].map((seconds) => seconds * SECOND),
    );
  });

  it('is never shorter than the declared one, however long that is. S3.5', () => {
    for (const executions of [1, 2, 100]) expect(retryDelay({ delay: '10m' }, executions)).toBe(10 * MINUTE);
    expect(retryDelay({ delay: '50s' }, 1)).toBe(50 * SECOND);
    expect(retryDelay({ delay: '50s' }, 2)).toBe(MINUTE);
  });

  it('grows beyond a minute up to the declared maximum. S3.5', () => {
    const retry = { delay: '10m', maxDelay: '1h' } as const;
    expect([1, 2, 3, 4].map((executions) => retryDelay(retry, executions) / MINUTE)).toEqual([10, 20, 40, 60]);
  });

  it('is a number after any number of executions. S3.5', () => {
    expect(retryDelay({ delay: 0 }, 5_000)).toBe(0);
    expect(retryDelay({ delay: 1, growth: 1e308 }, 5_000)).toBe(MINUTE);
  });
});
