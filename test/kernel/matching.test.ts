import { describe, expect, it } from 'vitest';
import { all, and, any, atLeast, none, not, or } from '../../src/definition/index.js';
import { matches } from '../../src/kernel/rules/matching.js';
import type { Successor } from '../../src/protocol/snapshot.js';

function successor(type: string, state?: string, more: Partial<Successor> = {}): Successor {
  return {
    type,
    key: 'k',
    operation: 'o',
    position: '1.1',
    request: 'r',
    version: 1,
    event: state ? 'settled' : 'pending',
    ...(state && {
      outcome: { state, version: 1, health: state === 'Bad' ? 'error' : 'normal', waiting: state === 'Waits' },
    }),
    ...more,
  };
}

describe('a pattern over successors (S4.3)', () => {
  const ready = successor('A', 'Ready');
  const pending = successor('A');
  const bad = successor('B', 'Bad');
  const waits = successor('A', 'Waits');
  const accepted = successor('A', undefined, { event: 'accepted' });
  const rejected = successor('A', undefined, { event: 'rejected' });
  const lost = successor('A', undefined, {
    outcome: { state: 'Ready', version: 1, health: 'normal', waiting: false, lost: true },
  });

  it.each([
    ['all of none is false', all({ of: 'A', in: 'Ready' }), [], false],
    ['all', all({ of: 'A', in: 'Ready' }), [ready, bad], true],
    ['not all', all({ of: 'A', in: 'Ready' }), [ready, pending], false],
    ['any', any({ in: ['Ready', 'Bad'] }), [pending, bad], true],
    ['any of none is false', any({ in: 'Ready' }), [], false],
    ['none of none is true', none({ of: 'A' }), [bad], true],
    ['none', none({ of: 'A' }), [pending], false],
    ['failed', any({ is: 'failed' }), [ready, bad], true],
    ['healthy', all({ is: 'healthy' }), [ready, bad], false],
    ['settled is not waiting', all({ is: 'settled' }), [waits], false],
    ['settled', all({ is: 'settled' }), [ready, bad], true],
    ['rejected', any({ is: 'rejected' }), [rejected], true],
    ['at least as many', atLeast(2, { in: ['Ready', 'Bad'] }), [ready, bad, pending], true],
    ['fewer than at least', atLeast(2, { of: 'A', in: 'Ready' }), [ready, bad, pending], false],
    ['at least one of none is false', atLeast(1, {}), [], false],
    ['pending is not accepted', any({ is: 'accepted' }), [pending, rejected], false],
    ['accepted', all({ is: 'accepted' }), [accepted, ready, waits, bad], true],
    ['accepted is not settled', any({ is: 'settled' }), [accepted], false],
    ['lost', all({ is: 'lost' }), [lost], true],
    ['not lost', any({ is: 'lost' }), [ready, pending, bad, rejected], false],
    ['lost is failed (S4.4)', any({ is: 'failed' }), [lost], true],
    ['lost is settled: nobody waits for it (S4.4)', all({ is: 'settled' }), [lost, ready], true],
    ['lost is not healthy', any({ is: 'healthy' }), [lost], false],
    ['lost is in no state', any({ in: 'Ready' }), [lost], false],
    ['by role', all({ role: 'x', in: 'Ready' }), [successor('A', 'Ready', { role: 'x' }), bad], true],
    ['by key', any({ key: 'other' }), [ready], false],
    ['and', and(any({ of: 'A' }), any({ of: 'B' })), [ready, bad], true],
    ['or', or(any({ of: 'C' }), any({ of: 'B' })), [bad], true],
    ['not', not(any({ of: 'C' })), [bad], true],
  ] as const)('%s', (_, predicate, successors, expected) => {
    expect(matches(predicate, successors)).toBe(expected);
  });
});
