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

it('a duration beyond all calendars lasts as long as they do (A3)', () => {
  const never: readonly Duration[] = [
    1e21,
    Number.MAX_VALUE,
    Number.MAX_SAFE_INTEGER,
    `${'9'.repeat(400)}d` as Duration,
  ];
  for (const declared of never) {
    const until = new Date(Date.now() + toMilliseconds(declared));
    expect(until.toISOString()).toMatch(/^\+25\d{4}-/);
  }
});
