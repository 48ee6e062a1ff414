import type { Json, Result } from '../../../src/components/index.js';
import type { Random } from '../../../src/simulation/index.js';

/** Answers calls: at once, late, twice, with failures, or not before the end. */
export class World {
  readonly #random: Random;
  readonly #known = new Map<string, string>();
  #answers: { readonly at: number; readonly key: string; readonly result: Result }[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Takes a call. One that is issued again is the same call: it must be the same in all. */
  call(key: string, what: string, now: number): string | undefined {
    const known = this.#known.get(key);
    if (known !== undefined) return known === what ? undefined : `${key} was ${known} and is ${what} now`;
    this.#known.set(key, what);
    const after = this.#random.pick([0, 0, 50, 300, 2_000, Number.POSITIVE_INFINITY]);
    this.answer(key, now + after, this.#result());
    if (this.#random.chance(0.2)) this.answer(key, now + after + this.#random.below(500), this.#result());
    return undefined;
  }

  answer(key: string, at: number, result: Result): void {
    this.#answers.push({ at, key, result });
  }

  get next(): number {
    return this.#answers.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
  }

  /** The answers that are due, without those that come at the very end. */
  take(now: number): readonly { readonly key: string; readonly result: Result }[] {
    const due = this.#answers.filter(({ at }) => at <= now);
    this.#answers = this.#answers.filter(({ at }) => at > now);
    return due;
  }

  #result(): Result {
    if (this.#random.chance(0.2)) return { error: { code: 'refused', message: 'not today' } };
    return { output: this.#random.pick<Json>([true, true, false, null, { port: 7 }]) };
  }
}
