import { describe, expect, it } from 'vitest';
import { objection } from '../../src/rollout/index.js';

const counts = (ended: number, failed: number) => ({ ended, failed });

describe('the guard of a rollout (Q2)', () => {
  it('objects to a task that fails again and again, and names its workflow', () => {
    expect(objection({ failing: [] })).toBeUndefined();
    expect(objection({ failing: ['Box/b'] })).toMatch(/^the workflow tasks of Box\/b fail/);
    expect(objection({ failing: ['Box/b', 'Box/c'] })).toMatch(
      /^the workflow tasks of 2 workflows, such as Box\/b fail/,
    );
  });

  it('objects when more actions fail than on the other builds', () => {
    const actions = { here: counts(10, 10), elsewhere: counts(400, 4) };
    expect(objection({ failing: [], actions })).toBe(
      '10 of 10 actions have failed on it, and 4 of 400 on the other builds',
    );
    expect(objection({ failing: [], actions: { here: counts(4, 4), elsewhere: counts(0, 0) } })).toBe(
      '4 of 4 actions have failed on it',
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
      expect(objection({ failing: [], actions: { here, elsewhere } })).toBeUndefined();
    }
  });
});
