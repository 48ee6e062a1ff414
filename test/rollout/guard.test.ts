import { describe, expect, it } from 'vitest';
import { objection } from '../../src/rollout/index.js';

const counts = (ended: number, failed: number) => ({ ended, failed });

describe('the guard of a rollout (Q2)', () => {
  it('objects to a task that fails again and again, and names its workflow', () => {
    expect(objection({ failing: [] })).toBeUndefined();
    expect(objection({ failing: ['Box/b'] })).toMatch(/^the workflow tasks of Box\/b keep failing/);
    expect(objection({ failing: ['Box/b', 'Box/c'] })).toMatch(
      /^the workflow tasks of 2 workflows, such as Box\/b keep failing/,
    );
  });

  it('objects when more actions fail than on the other builds', () => {
    const ship = { action: 'Order.ship', here: counts(10, 10), elsewhere: counts(400, 4) };
    const pack = { action: 'Order.pack', here: counts(20, 1), elsewhere: counts(100, 5) };
    expect(objection({ failing: [], actions: [pack, ship] })).toBe(
      '11 of 30 actions have failed on it, and 9 of 500 on the other builds, most of them in Order.ship (10 of 10)',
    );
    expect(objection({ failing: [], actions: [{ ...ship, here: counts(4, 4), elsewhere: counts(0, 0) }] })).toBe(
      '4 of 4 actions have failed on it, most of them in Order.ship (4 of 4)',
    );
  });

  it('does not object to what fails by chance: a few, or as many as elsewhere', () => {
    for (const [here, elsewhere] of [
      [counts(2, 2), counts(400, 4)],
      [counts(100, 5), counts(100, 0)],
      [counts(30, 4), counts(400, 12)],
      [counts(100, 50), counts(100, 50)],
      [counts(0, 0), counts(0, 0)],
    ] as const) {
      expect(objection({ failing: [], actions: [{ action: 'Order.ship', here, elsewhere }] })).toBeUndefined();
    }
  });

  it('compares each action with itself: what fails often does so on any build, and runs here more often than elsewhere', () => {
    const actions = [
      { action: 'Order.count', here: counts(20, 0), elsewhere: counts(560, 0) },
      { action: 'Order.fetch', here: counts(25, 3), elsewhere: counts(22, 1) },
    ];
    expect(objection({ failing: [], actions })).toBeUndefined();
    const [count, fetch] = actions as [(typeof actions)[0], (typeof actions)[0]];
    expect(objection({ failing: [], actions: [{ ...count, here: counts(20, 3) }, fetch] })).toMatch(
      /most of them in Order\.count \(3 of 20\)$/,
    );
  });
});
