import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foregone } from '../../src/definition/checks/patterns.js';
import { SUCCESSOR_QUALITIES, type Pattern, type Predicate } from '../../src/definition/predicate.js';
import { matches } from '../../src/kernel/index.js';
import type { Successor } from '../../src/protocol/snapshot.js';

const test = fc.record(
  { in: fc.subarray(['Up', 'Down'], { minLength: 1 }), is: fc.constantFrom(...SUCCESSOR_QUALITIES) },
  { requiredKeys: [] },
);
const filter = fc.record({ type: fc.constantFrom('One', 'Two') }, { requiredKeys: [] });
const pattern: fc.Arbitrary<Pattern> = fc.oneof(
  fc.record({ kind: fc.constantFrom('all' as const, 'any' as const, 'none' as const), filter, test }),
  fc.record({ kind: fc.constant('atLeast' as const), count: fc.constantFrom(1, 2), filter, test }),
);
const predicate = fc.letrec<{ predicate: Predicate }>((tie) => ({
  predicate: fc.oneof(
    { maxDepth: 3, depthSize: 'medium' },
    pattern,
    fc.record({ kind: fc.constant('not' as const), predicate: tie('predicate') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      predicates: fc.array(tie('predicate'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).predicate;

const outcomes: readonly Partial<Successor>[] = [
  { event: 'pending' },
  { event: 'accepted' },
  { event: 'rejected', outcome: outcome('Up', { rejection: {} as never }) },
  { event: 'settled', outcome: outcome('Up') },
  { event: 'settled', outcome: outcome('Up', { waiting: true }) },
  { event: 'settled', outcome: outcome('Down', { health: 'error' }) },
  { event: 'settled', outcome: outcome('Down', { health: 'error', lost: true }) },
];

function outcome(state: string, more: Partial<NonNullable<Successor['outcome']>> = {}) {
  return { state, version: 1, health: 'normal' as const, waiting: false, ...more };
}

const successor = fc.record({ type: fc.constantFrom('One', 'Two'), key: fc.constantFrom('a', 'b'), how: fc.nat(6) });
const successors = fc.uniqueArray(successor, { maxLength: 4, selector: ({ type, key }) => `${type}/${key}` });

describe('what is said of a pattern before anything runs (S1.5)', () => {
  it('is true of all successors that are tried: one that can never match does not, and one that always matches does', () => {
    fc.assert(
      fc.property(predicate, fc.array(successors, { minLength: 20, maxLength: 20 }), (when, tried) => {
        const answer = foregone(when);
        if (answer === undefined) return;
        for (const each of tried) {
          const those = each.map(({ type, key, how }) => ({ type, key, ...outcomes[how] }) as Successor);
          expect(matches(when, those)).toBe(answer);
        }
      }),
      { numRuns: 400 },
    );
  });
});
