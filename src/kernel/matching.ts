import type { Predicate, SuccessorTest } from '../definition/predicate.js';
import type { Successor } from '../protocol/snapshot.js';

/** Whether a pattern appears in the states of these successors. S4.3 */
export function matches(predicate: Predicate, successors: readonly Successor[]): boolean {
  switch (predicate.kind) {
    case 'and':
      return predicate.predicates.every((part) => matches(part, successors));
    case 'or':
      return predicate.predicates.some((part) => matches(part, successors));
    case 'not':
      return !matches(predicate.predicate, successors);
    case 'all':
    case 'any':
    case 'atLeast':
    case 'none': {
      const { type, role, key } = predicate.filter;
      const meant = successors.filter(
        (successor) =>
          (type === undefined || successor.type === type) &&
          (role === undefined || successor.role === role) &&
          (key === undefined || successor.key === key),
      );
      const passes = (successor: Successor) => test(predicate.test, successor);
      if (predicate.kind === 'atLeast') return meant.filter(passes).length >= predicate.count;
      if (predicate.kind === 'all') return meant.length > 0 && meant.every(passes);
      return meant.some(passes) === (predicate.kind === 'any');
    }
  }
}

function test({ in: states, is }: SuccessorTest, successor: Successor): boolean {
  const { outcome, event } = successor;
  // Whoever waits for a lost one to settle would wait for ever. S4.4
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
