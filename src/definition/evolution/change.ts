/**
 * Tells what a change of declarations does to what runs.
 *
 * - `safe`: to nothing
 * - `needs-migration`: what is stored does not fit, or would set something off
 * - `strands-entities`: entities are where they cannot stay, or from where they can settle no more
 * - `breaks-callers`: what callers ask or read is another thing
 * - `breaks-running-actions`: an action that has begun cannot end
 */
export type ChangeClass = 'safe' | 'needs-migration' | 'strands-entities' | 'breaks-callers' | 'breaks-running-actions';

/** The live entities that a change touches, and the event whose callers it concerns. */
export interface Touched {
  readonly type: string;
  /** Only those in these states. */
  readonly states?: readonly string[];
  readonly event?: string;
}

/** One difference between two models. */
export interface Change {
  /** `Order.states.Paying`. */
  readonly place: string;
  readonly class: ChangeClass;
  /** Tells what has changed, and what follows. */
  readonly sentence: string;
  /** Tells what to do. None for what is safe. */
  readonly remedy?: string;
  /** Tells whether a migration or a rename deals with it. */
  readonly covered: boolean;
  readonly touches?: Touched;
}

export const CLASS_WORDS: Readonly<Record<ChangeClass, string>> = {
  safe: 'safe',
  'needs-migration': 'needs a migration',
  'strands-entities': 'strands entities',
  'breaks-callers': 'breaks callers',
  'breaks-running-actions': 'breaks running actions',
};

export function safe(place: string, sentence: string): Change {
  return { place, class: 'safe', sentence, covered: true };
}
