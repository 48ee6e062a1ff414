import type { CountingName, QuantifierName } from './quantifiers.js';

/** All that is asked of one successor. Every part that is given must hold; with none, that it exists. S4.3 */
export interface SuccessorTest {
  readonly in?: readonly string[];
  readonly is?: SuccessorQuality;
}

/** All that a pattern can ask of a successor beside its state. */
export const SUCCESSOR_QUALITIES = ['accepted', 'settled', 'healthy', 'failed', 'lost', 'rejected'] as const;
/**
 * Describes what a successor is. `accepted`: it has accepted the event that was raised on it, and may have settled since. `settled`: at rest in a state that
 * is not waiting, or lost. `healthy`: settled in a normal state. `failed`: settled in an error state, or lost. `lost`: its life has ended
 * without a report, so it is in no state any more. `rejected`: it has rejected the event.
 */
export type SuccessorQuality = (typeof SUCCESSOR_QUALITIES)[number];

/** Which successors are meant; every part that is given must hold. */
export interface SuccessorFilter {
  readonly type?: string;
  readonly role?: string;
  readonly key?: string;
}

/** A pattern over one kind of successors, without `and`, `or`, `not`. */
export type Pattern = {
  readonly filter: SuccessorFilter;
  readonly test: SuccessorTest;
} & (
  | { readonly kind: Exclude<QuantifierName, CountingName> }
  | {
      readonly kind: CountingName;
      /** A whole number from 1. */
      readonly count: number;
    }
);

/** A pattern over the states of an entity's successors, as data. S4.3 */
export type Predicate =
  | Pattern
  | { readonly kind: 'and' | 'or'; readonly predicates: readonly Predicate[] }
  | { readonly kind: 'not'; readonly predicate: Predicate };
