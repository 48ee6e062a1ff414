import { describe, expect, it } from 'vitest';
import { advance, firstProgress, isLastTry, type Loss } from '../../src/temporal/keeper/progress.js';

const SECOND = 1_000;
const NOW = 100_000 * SECOND;

const loss = (number: number, endedAt: number): Loss => {
  const run = `0197-${String(number).padStart(12, '0')}`;
  return { id: `Ship/${number}`, run, endedAt };
};

describe('how far the keeper is (S4.4)', () => {
  it('begins an hour back: the keeper before it may have been ended by hand, too (progress.1)', () => {
    expect(firstProgress(NOW)).toEqual({ since: NOW - 3_600 * SECOND, known: [], untold: [] });
  });

  it('asks again for the last minute, since visibility is behind, and knows what it has told (progress.1, progress.2)', () => {
    const first = advance(
      firstProgress(NOW),
      { found: [loss(1, NOW - 1), loss(2, NOW - 70_000)], more: false },
      [],
      NOW,
    );
    expect(first).toEqual({ since: NOW - 60_000, known: [{ run: '000000000001', endedAt: NOW - 1 }], untold: [] });
    const later = advance(first, { found: [], more: false }, [], NOW + 60_000);
    expect(later).toEqual({ since: NOW, known: [], untold: [] });
  });

  it('never goes back, whatever the clock says (progress.1)', () => {
    const { since } = advance({ since: NOW, known: [], untold: [] }, { found: [], more: false }, [], NOW - 5_000);
    expect(since).toBe(NOW);
  });

  it('goes on from the last one that was found, where there is more (progress.1)', () => {
    const found = [loss(1, NOW - 30_000), loss(2, NOW - 20_000), loss(3, NOW - 20_000)];
    const next = advance(firstProgress(NOW), { found, more: true }, [], NOW);
    expect(next.since).toBe(NOW - 20_000);
    expect(next.known.map(({ run }) => run)).toEqual(['000000000002', '000000000003']);
  });

  it('remembers no more than what stays small: the oldest are told twice (progress.2)', () => {
    const found = Array.from({ length: 5_000 }, (_, number) => loss(number, NOW));
    const { known } = advance(firstProgress(NOW), { found, more: false }, [], NOW);
    expect(known).toHaveLength(4_000);
    expect(known[0]).toEqual({ run: '000000001000', endedAt: NOW });
  });

  it('tries again what could not be told, for ten minutes (progress.1)', () => {
    const untold = [
      { ...loss(1, NOW), tries: 119 },
      { ...loss(2, NOW), tries: 120 },
    ];
    const next = advance(firstProgress(NOW), { found: [], more: false }, untold, NOW);
    expect(next.untold.map(({ id }) => id)).toEqual(['Ship/1']);
    expect([119, 120].map(isLastTry)).toEqual([false, true]);
  });
});
