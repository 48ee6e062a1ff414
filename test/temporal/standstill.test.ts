import { expect, it } from 'vitest';
import { Standstill } from '../../src/temporal/watch/standstill.js';

/** The times at which looks begin, in seconds, each of which takes so long, while a thread stands still and computes. */
function looks({ takingMs, forMs }: { readonly takingMs: number; readonly forMs: number }) {
  const standstill = new Standstill();
  standstill.note(1, 0);
  const begun: number[] = [];
  let endAt = Infinity;
  for (let now = 0; now <= forMs; now += 100) {
    if (now >= endAt) {
      standstill.looked(now);
      endAt = Infinity;
    }
    if (!standstill.mayLook(now)) continue;
    begun.push(now / 1_000);
    endAt = now + takingMs;
  }
  return { begun, standstill };
}

it('looks at a thread each second, and once at a time (standstill.1)', () => {
  expect(looks({ takingMs: 100, forMs: 4_000 }).begun).toEqual([1, 2.1, 3.2]);
  expect(looks({ takingMs: 60_000, forMs: 30_000 }).begun).toEqual([1]);
});

it('gives a tenth of the time to looks that take long (standstill.2)', () => {
  expect(looks({ takingMs: 2_000, forMs: 60_000 }).begun).toEqual([1, 21, 41]);
});

it('does not count how long looks took (standstill.3)', () => {
  const { standstill } = looks({ takingMs: 2_000, forMs: 24_000 });
  expect(standstill.lastsMs(24_000)).toBe(20_000);
  expect(standstill.note(2, 24_500)).toBe(true);
  expect(standstill.lastsMs(24_700)).toBe(200);
});

it('does not count a look that goes on when the thread does', () => {
  const { standstill } = looks({ takingMs: 5_000, forMs: 2_000 });
  standstill.note(2, 3_000);
  standstill.looked(3_500);
  expect(standstill.lastsMs(4_000)).toBe(500);
});

it('leaves one alone that hardly computes, for ten seconds', () => {
  let computed = 7;
  const standstill = new Standstill(() => computed);
  standstill.note(1, 0);
  computed += 299;
  expect([2_000, 9_900, 10_000].map((now) => standstill.mayLook(now))).toEqual([false, false, true]);
});
