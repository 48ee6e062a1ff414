import { describe, expect, it } from 'vitest';
import { all, and, any, none, not, or } from '../../src/definition/index.js';
import { matches } from '../../src/kernel/matching.js';
import type { Successor } from '../../src/protocol/snapshot.js';

function successor(type: string, state?: string, more: Partial<Successor> = {}): Successor {
  return {
    type,
    key: 'k',
    operation: 'o',
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
  const lost = successor('A', 'Ready', {
    outcome: { state: 'Ready', version: 1, health: 'error', waiting: false, lost: true },
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
    ['rejected', any({ is: 'rejected' }), [successor('A', undefined, { event: 'rejected' })], true],
    ['lost is in no state any more (S4.4)', any({ in: 'Ready' }), [lost], false],
    ['lost has failed (S4.4)', any({ is: 'failed' }), [lost], true],
    ['lost is not waited for (S4.4)', all({ is: 'settled' }), [lost], true],
    ['by role', all({ role: 'x', in: 'Ready' }), [successor('A', 'Ready', { role: 'x' }), bad], true],
    ['by key', any({ key: 'other' }), [ready], false],
    ['and', and(any({ of: 'A' }), any({ of: 'B' })), [ready, bad], true],
    ['or', or(any({ of: 'C' }), any({ of: 'B' })), [bad], true],
    ['not', not(any({ of: 'C' })), [bad], true],
  ] as const)('%s', (_, predicate, successors, expected) => {
    expect(matches(predicate, successors)).toBe(expected);
  });
});
