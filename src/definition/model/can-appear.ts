import type { Pattern, Predicate } from '../predicate.js';
import { quantifierOf } from '../quantifiers.js';

/** Tells whether a predicate can come to hold (or not to hold), where only some of its patterns can find a successor that passes. */
export function canAppear(predicate: Predicate, finds: (pattern: Pattern) => boolean, holds = true): boolean {
  switch (predicate.kind) {
    case 'not':
      return canAppear(predicate.predicate, finds, !holds);
    case 'and':
    case 'or': {
      const parts = predicate.predicates.map((part) => canAppear(part, finds, holds));
      return (predicate.kind === 'and') === holds ? parts.every(Boolean) : parts.some(Boolean);
    }
    default: {
      // A part that needs no successor can hold without one.
      const needsOne = quantifierOf(predicate).needsPassing === holds;
      return !needsOne || finds(predicate);
    }
  }
}

/** Tells whether a pattern is about one of these types. */
export function isAmong({ filter: { type } }: Pattern, types: ReadonlySet<string>): boolean {
  return type === undefined ? types.size > 0 : types.has(type);
}
