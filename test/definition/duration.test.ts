import { expect, it } from 'vitest';
import { asDeclared, toMilliseconds, type Duration } from '../../src/definition/duration.js';

it('a duration is said as it was declared (A3)', () => {
  for (const declared of ['250ms', '1500ms', '1s', '90s', '5m', '90m', '1h', '36h', '7d'] as const) {
    expect(asDeclared(toMilliseconds(declared))).toBe(declared);
  }
  const others: readonly (readonly [Duration, string])[] = [
    [0, '0s'],
    ['60s', '1m'],
    ['0.5h', '30m'],
    // The rest of a longer one, such as of one that was extended to a time.
    [3_600_412, '1h'],
    [0.4, '0s'],
  ];
  for (const [declared, said] of others) expect(asDeclared(toMilliseconds(declared))).toBe(said);
});
