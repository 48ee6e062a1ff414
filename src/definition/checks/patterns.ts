import type { Pattern, Predicate, SuccessorFilter, SuccessorQuality, SuccessorTest } from '../predicate.js';
import { quantifierOf } from '../quantifiers.js';

/** A pattern that has to hold, or must not. */
interface Literal {
  readonly pattern: Pattern;
  readonly holds: boolean;
}

/** More ways in which a predicate can hold are not looked at. */
const MOST_WAYS = 500;

/** Tells whether a pattern is always true or never true, whatever the successors; `undefined`: it depends on them. */
export function foregone(predicate: Predicate): boolean | undefined {
  if (!mayHold(predicate, true)) return false;
  return mayHold(predicate, false) ? undefined : true;
}

/** Tells whether successors can be thought of with which the predicate holds, or does not. */
function mayHold(predicate: Predicate, holds: boolean): boolean {
  const ways = waysOf(predicate, holds);
  return !ways || ways.some((literals) => !contradictory(literals));
}

/** All ways in which a predicate can hold: each is what has to be true together. Nothing where they are too many. */
function waysOf(predicate: Predicate, holds: boolean): readonly (readonly Literal[])[] | undefined {
  if ('filter' in predicate) return [[{ pattern: predicate, holds }]];
  if (predicate.kind === 'not') return waysOf(predicate.predicate, !holds);
  const parts = predicate.predicates.map((part) => waysOf(part, holds));
  const together = (predicate.kind === 'and') === holds;
  return parts.reduce<readonly (readonly Literal[])[] | undefined>(
    (before, part) => {
      if (!before || !part) return undefined;
      const ways = together ? before.flatMap((one) => part.map((other) => [...one, ...other])) : [...before, ...part];
      return ways.length > MOST_WAYS ? undefined : ways;
    },
    together ? [[]] : [],
  );
}

/** All patterns in a predicate, wherever they stand. */
export function patternsIn(predicate: Predicate): readonly Pattern[] {
  if ('filter' in predicate) return [predicate];
  return (predicate.kind === 'not' ? [predicate.predicate] : predicate.predicates).flatMap(patternsIn);
}

/** Tells whether a pattern asks for several successors with one key of one type, of which there is only one. */
function asksForTwins(pattern: Pattern): boolean {
  const { type, key } = pattern.filter;
  return 'count' in pattern && pattern.count > 1 && type !== undefined && key !== undefined;
}

/** Tells whether no successors make all of this true. */
function contradictory(literals: readonly Literal[]): boolean {
  const patterns = literals.flatMap(asPatterns);
  const opposed = literals.some(
    ({ pattern, holds }) => !holds && patterns.some((other) => asksForAsMuch(other, pattern)),
  );
  if (opposed || patterns.some((pattern) => isImpossible(pattern))) return true;
  const needing = patterns.filter((pattern) => quantifierOf(pattern).needsPassing);
  return needing.some((need) =>
    patterns.some((other) => {
      const { ofEach } = quantifierOf(other);
      if (ofEach === undefined || !within(need.filter, other.filter)) return false;
      return ofEach === 'passes' ? !compatible(need.test, other.test) : implies(need.test, other.test);
    }),
  );
}

/** Gives what a literal asks for as a pattern that has to hold, where there is one. */
function asPatterns({ pattern, holds }: Literal): readonly Pattern[] {
  if (holds) return [pattern];
  const { filter, test } = pattern;
  if (pattern.kind === 'none') return [{ kind: 'any', filter, test }];
  return pattern.kind === 'any' || ('count' in pattern && pattern.count === 1) ? [{ kind: 'none', filter, test }] : [];
}

/** Tells whether a pattern can hold only where the other one does, which is about the same successors. */
function asksForAsMuch(pattern: Pattern, other: Pattern): boolean {
  const about = ({ filter, test }: Pattern) => JSON.stringify([filter, test]);
  if (about(pattern) !== about(other)) return false;
  return pattern.kind === other.kind && (!('count' in pattern && 'count' in other) || pattern.count >= other.count);
}

/** Tells whether no successors make it hold. */
function isImpossible(pattern: Pattern): boolean {
  if (!quantifierOf(pattern).needsPassing) return false;
  return !compatible(pattern.test, pattern.test) || asksForTwins(pattern);
}

/** Tells whether every successor that `inner` means is one that `outer` means. */
function within(inner: SuccessorFilter, outer: SuccessorFilter): boolean {
  return (['type', 'role', 'key'] as const).every((part) => outer[part] === undefined || outer[part] === inner[part]);
}

/** Tells whether one successor can pass both tests. */
function compatible(one: SuccessorTest, other: SuccessorTest): boolean {
  const states = one.in && other.in ? one.in.filter((state) => other.in?.includes(state)) : (one.in ?? other.in);
  if (states?.length === 0) return false;
  const are = new Set([one.is, other.is].filter((is) => is !== undefined));
  // A successor that has rejected its event is in no state, and a lost one is in none any more.
  if (are.has('rejected')) return are.size === 1 && !states;
  if (are.has('lost') && states) return false;
  return !(are.has('healthy') && (are.has('failed') || are.has('lost')));
}

/** The qualities that follow from a quality. */
const IMPLIED: Readonly<Record<SuccessorQuality, readonly SuccessorQuality[]>> = {
  accepted: [],
  settled: ['accepted'],
  healthy: ['accepted', 'settled'],
  failed: ['accepted', 'settled'],
  lost: ['accepted', 'settled', 'failed'],
  rejected: [],
};

/** Tells whether a successor that passes the first test passes the second one, whatever its state. */
function implies(first: SuccessorTest, second: SuccessorTest): boolean {
  if (second.in && !first.in?.every((state) => second.in?.includes(state))) return false;
  if (second.is === undefined || second.is === first.is) return true;
  // A successor that is in a state has accepted the event.
  if (second.is === 'accepted' && first.in) return true;
  return first.is !== undefined && IMPLIED[first.is].includes(second.is);
}
