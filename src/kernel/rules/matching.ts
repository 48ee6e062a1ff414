import type { Predicate, SuccessorFilter, SuccessorTest } from '../../definition/predicate.js';
import { quantifierOf } from '../../definition/quantifiers.js';
import type { Successor } from '../../protocol/snapshot.js';

/** Tells whether a pattern appears in the states of these successors. S4.3 */
export function matches(predicate: Predicate, successors: readonly Successor[]): boolean {
  switch (predicate.kind) {
    case 'and':
      return predicate.predicates.every((part) => matches(part, successors));
    case 'or':
      return predicate.predicates.some((part) => matches(part, successors));
    case 'not':
      return !matches(predicate.predicate, successors);
    default: {
      const meant = meantBy(predicate.filter, successors);
      const passing = meant.filter((successor) => passes(predicate.test, successor)).length;
      return quantifierOf(predicate).holds(passing, meant.length, 'count' in predicate ? predicate.count : 0);
    }
  }
}

/** The successors that a pattern is about. */
export function meantBy({ type, role, key }: SuccessorFilter, successors: readonly Successor[]): readonly Successor[] {
  return successors.filter(
    (successor) =>
      (type === undefined || successor.type === type) &&
      (role === undefined || successor.role === role) &&
      (key === undefined || successor.key === key),
  );
}

/** Tells whether a successor is as a pattern asks. */
export function passes({ in: states, is }: SuccessorTest, successor: Successor): boolean {
  const { outcome, event } = successor;
  // A lost successor counts as settled: it would never settle otherwise. S4.4
  const lost = outcome?.lost === true;
  if (states && !(event === 'settled' && outcome && !lost && states.includes(outcome.state))) return false;
  const settled = lost || (event === 'settled' && outcome !== undefined && !outcome.waiting);
  switch (is) {
    case undefined:
      return true;
    case 'accepted':
      return lost || event === 'accepted' || event === 'settled';
    case 'settled':
      return settled;
    case 'healthy':
      return settled && !lost && outcome?.health === 'normal';
    case 'failed':
      return lost || (settled && outcome?.health === 'error');
    case 'lost':
      return lost;
    case 'rejected':
      return event === 'rejected' && !lost;
  }
}
