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
    case 'none': {
      const { type, role, key } = predicate.filter;
      const meant = successors.filter(
        (successor) =>
          (type === undefined || successor.type === type) &&
          (role === undefined || successor.role === role) &&
          (key === undefined || successor.key === key),
      );
      const passes = (successor: Successor) => test(predicate.test, successor);
      if (predicate.kind === 'all') return meant.length > 0 && meant.every(passes);
      return meant.some(passes) === (predicate.kind === 'any');
    }
  }
}

function test({ in: states, is }: SuccessorTest, successor: Successor): boolean {
  const { outcome, event } = successor;
  // Of one that is lost, only its last state is known.
  if (states && !(event === 'settled' && outcome && !outcome.lost && states.includes(outcome.state))) return false;
  const settled = event === 'settled' && outcome !== undefined && !outcome.waiting;
  switch (is) {
    case undefined:
      return true;
    case 'settled':
      return settled;
    case 'healthy':
      return settled && outcome.health === 'normal';
    case 'failed':
      return settled && outcome.health === 'error';
    case 'rejected':
      return event === 'rejected';
  }
}
