import type { Pattern, Predicate, SuccessorFilter, SuccessorQuality, SuccessorTest } from '../predicate.js';
import { quantifierOf } from '../quantifiers.js';

/** Whether a pattern is always true or never true, whatever the successors; `undefined`: it depends on them. */
export function foregone(predicate: Predicate): boolean | undefined {
  switch (predicate.kind) {
    case 'and': {
      const parts = predicate.predicates.map(foregone);
      if (parts.includes(false) || contradictory(conjuncts(predicate))) return false;
      return parts.every((part) => part === true) ? true : undefined;
    }
    case 'or': {
      const parts = predicate.predicates.map(foregone);
      if (parts.includes(true)) return true;
      return parts.every((part) => part === false) ? false : undefined;
    }
    case 'not': {
      const part = foregone(predicate.predicate);
      return part === undefined ? undefined : !part;
    }
    default:
      return compatible(predicate.test, predicate.test) && !asksForTwins(predicate)
        ? undefined
        : !quantifierOf(predicate).needsPassing;
  }
}

/** All patterns in a predicate, wherever they stand. */
export function patternsIn(predicate: Predicate): readonly Pattern[] {
  if ('filter' in predicate) return [predicate];
  return (predicate.kind === 'not' ? [predicate.predicate] : predicate.predicates).flatMap(patternsIn);
}

/** The patterns that must all hold. */
function conjuncts(predicate: Predicate): readonly Pattern[] {
  if ('filter' in predicate) return [predicate];
  return predicate.kind === 'and' ? predicate.predicates.flatMap(conjuncts) : [];
}

/** Whether a pattern asks for several successors with one key of one type, of which there is only one. */
function asksForTwins(pattern: Pattern): boolean {
  const { type, key } = pattern.filter;
  return 'count' in pattern && pattern.count > 1 && type !== undefined && key !== undefined;
}

/** Whether one pattern needs a successor that passes, and another pattern that must hold too forbids every such successor. */
function contradictory(patterns: readonly Pattern[]): boolean {
  const needing = patterns.filter((pattern) => quantifierOf(pattern).needsPassing);
  return needing.some((need) =>
    patterns.some((other) => {
      const { ofEach } = quantifierOf(other);
      if (ofEach === undefined || !within(need.filter, other.filter)) return false;
      return ofEach === 'passes' ? !compatible(need.test, other.test) : implies(need.test, other.test);
    }),
  );
}

/** Whether every successor that `inner` means is one that `outer` means. */
function within(inner: SuccessorFilter, outer: SuccessorFilter): boolean {
  return (['type', 'role', 'key'] as const).every((part) => outer[part] === undefined || outer[part] === inner[part]);
}

/** Whether one successor can pass both tests. */
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

/** Whether a successor that passes the first test passes the second one, whatever its state. */
function implies(first: SuccessorTest, second: SuccessorTest): boolean {
  if (second.in && !first.in?.every((state) => second.in?.includes(state))) return false;
  if (second.is === undefined || second.is === first.is) return true;
  // A successor that is in a state has accepted the event.
  if (second.is === 'accepted' && first.in) return true;
  return first.is !== undefined && IMPLIED[first.is].includes(second.is);
}
