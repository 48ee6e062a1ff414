import { InvariantViolated } from '../../src/simulation/index.js';
import { takeDrawn, type DrawnSoFar } from './anything/anything.js';
import { SUBJECTS, type Subject } from './subject.js';

/*
 * The process that takes seeds one after another. Its parent sends it work, and it tells the result.
 */

/** The seeds to simulate with: `count` seeds, from the seed `from` on. */
export interface Work {
  readonly subject: Subject;
  readonly from: number;
  readonly count: number;
}

/** A seed with which an invariant was broken, or another error came. */
export interface Found {
  readonly subject: Subject;
  readonly seed: number;
  readonly invariant: string;
  /** The message, with the end of the trace. */
  readonly message: string;
}

/** The result of the work: its steps, and the first violation, after which it stopped. */
export interface Done {
  readonly seeds: number;
  readonly steps: number;
  readonly found?: Found;
  /** All that was drawn for `anything`, and what `check` refused of it. */
  readonly drawn: DrawnSoFar;
}

export async function perform({ subject, from, count }: Work): Promise<Done> {
  let steps = 0;
  for (let seed = from; seed < from + count; seed++) {
    try {
      steps += (await SUBJECTS[subject](seed)).steps;
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const invariant = error instanceof InvariantViolated ? error.invariant : error.name;
      const message = error instanceof InvariantViolated ? error.message : (error.stack ?? error.message);
      return { seeds: seed - from + 1, steps, found: { subject, seed, invariant, message }, drawn: takeDrawn() };
    }
  }
  return { seeds: count, steps, drawn: takeDrawn() };
}

process.on('message', (work: Work) => {
  void perform(work).then((done) => process.send?.(done));
});
