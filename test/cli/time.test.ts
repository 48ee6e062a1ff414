import { describe, expect, it } from 'vitest';
import { formatDuration, formatFullTime, formatTime } from '../../src/cli/list/time.js';

const clock = { now: Date.parse('2026-11-21T14:05:00Z'), utc: true };

describe('times for people', () => {
  it.each([
    ['2026-11-21T14:03:21.123Z', '14:03:21'],
    ['2026-11-21T14:03:21.902000Z', '14:03:21'],
    ['2026-11-02T09:03:21Z', ' 2 Nov 09:03'],
    ['2025-11-21T14:03:21Z', '2025-11-21'],
  ])('are short: %s is %s', (time, short) => {
    expect(formatTime(time, clock)).toBe(short);
  });

  it('are exact where there is room', () => {
    expect(formatFullTime('2026-11-21T14:03:21.123Z', clock)).toBe('2026-11-21 14:03:21.123Z');
  });

  it.each([
    ['2026-11-21T14:00:00.300Z', '0.3 s'],
    ['2026-11-21T14:00:12Z', '12 s'],
    ['2026-11-21T14:03:05Z', '3 min 5 s'],
    ['2026-11-21T16:03:00Z', '2 h 3 min'],
    ['2026-11-25T16:00:00Z', '4 d 2 h'],
    [null, '5 min'],
  ])('last until %s: %s', (end, duration) => {
    expect(formatDuration('2026-11-21T14:00:00Z', end, clock)).toBe(duration);
  });
});
