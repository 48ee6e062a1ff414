import { describePredicate } from '../../definition/describe.js';
import type { Pattern, Predicate } from '../../definition/predicate.js';
import { quantifierOf } from '../../definition/quantifiers.js';
import type { Successor } from '../../protocol/snapshot.js';
import { matches, meantBy, passes } from '../rules/matching.js';
import { successorStanding, type SuccessorStanding } from './successor-standing.js';

/** A part of a pattern that keeps it from appearing. S5.4 */
export type Unmet =
  | {
      readonly kind: 'pattern';
      /** `all SqlApplication in Ready`, or `not (any Alias failed)`. */
      readonly pattern: string;
      /** The successors that keep it so; none where there is no such successor yet. */
      readonly successors: readonly SuccessorStanding[];
      /** How many successors are as they should be, for `at least n`. */
      readonly passing?: number;
    }
  /** Either of these would do. */
  | { readonly kind: 'either'; readonly choices: readonly (readonly Unmet[])[] };

/** All successors that keep a pattern from appearing. */
export function successorsIn(unmet: Unmet): readonly SuccessorStanding[] {
  return unmet.kind === 'pattern' ? unmet.successors : unmet.choices.flat().flatMap(successorsIn);
}

/** Exactly the parts of a pattern that keep it from being as wanted; none when it is. */
export function unmetParts(predicate: Predicate, successors: readonly Successor[], wanted = true): readonly Unmet[] {
  if (matches(predicate, successors) === wanted) return [];
  switch (predicate.kind) {
    case 'not':
      return unmetParts(predicate.predicate, successors, !wanted);
    case 'and':
    case 'or': {
      const parts = predicate.predicates.map((part) => unmetParts(part, successors, wanted));
      // Where all parts have to hold, those that do not are named. Where one has to hold, every way to it is named.
      const everyPart = (predicate.kind === 'and') === wanted;
      const [only] = parts;
      if (everyPart) return parts.flat();
      return parts.length === 1 && only ? only : [{ kind: 'either', choices: parts }];
    }
    default:
      return [unmetLeaf(predicate, successors, wanted)];
  }
}

function unmetLeaf(leaf: Pattern, successors: readonly Successor[], wanted: boolean): Unmet {
  const meant = meantBy(leaf.filter, successors);
  const passing = meant.filter((successor) => passes(leaf.test, successor));
  // Where the pattern must not hold, this is reversed.
  const tooMany = quantifierOf(leaf).needsPassing !== wanted;
  const keeping = tooMany ? passing : meant.filter((successor) => !passing.includes(successor));
  return {
    kind: 'pattern',
    pattern: describePredicate(wanted ? leaf : { kind: 'not', predicate: leaf }),
    successors: keeping.map(successorStanding),
    ...('count' in leaf && { passing: passing.length }),
  };
}
