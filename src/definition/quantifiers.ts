/*
 * How a pattern counts successors. All questions about patterns are answered here, so that a new quantifier is one more entry.
 * S4.3
 */

/** The meaning of one quantifier. */
export interface Quantifier {
  /**
   * Tells whether the pattern holds, where it is about `meant` successors and `passing` of them pass. `count` is what the pattern
   * asks for.
   */
  holds(passing: number, meant: number, count: number): boolean;
  /** Tells whether each successor that passes brings the pattern nearer to holding. If not, it takes the pattern away from that. */
  readonly needsPassing: boolean;
  /** Tells what the pattern asks of every successor that it is about, if it asks something of each. */
  readonly ofEach?: 'passes' | 'fails';
  /** Of the successors that pass, so many decide whether it holds: more change nothing. Default: one. */
  decides?(count: number): number;
  /** The pattern has a `count`. */
  readonly counts?: true;
  /** How it begins in words: `at least 2`. */
  words(count: number): string;
}

export const QUANTIFIERS = {
  all: {
    holds: (passing, meant) => meant > 0 && passing === meant,
    needsPassing: true,
    ofEach: 'passes',
    words: () => 'all',
  },
  any: { holds: (passing) => passing > 0, needsPassing: true, words: () => 'any' },
  none: { holds: (passing) => passing === 0, needsPassing: false, ofEach: 'fails', words: () => 'none' },
  atLeast: {
    holds: (passing, _, count) => passing >= count,
    needsPassing: true,
    counts: true,
    decides: (count) => count,
    words: (count) => `at least ${count}`,
  },
} as const satisfies Readonly<Record<string, Quantifier>>;

type Quantifiers = typeof QUANTIFIERS;
export type QuantifierName = keyof Quantifiers;

/** The quantifiers that have a `count`. */
export type CountingName = {
  [Name in QuantifierName]: Quantifiers[Name] extends { readonly counts: true } ? Name : never;
}[QuantifierName];

export function quantifierOf({ kind }: { readonly kind: QuantifierName }): Quantifier {
  return QUANTIFIERS[kind];
}

/** The names of the quantifiers with a `count`, or of those without one. */
export function quantifierNames(counts: boolean): readonly QuantifierName[] {
  const names = Object.keys(QUANTIFIERS) as QuantifierName[];
  return names.filter((kind) => (quantifierOf({ kind }).counts ?? false) === counts);
}
