import { ProblemError } from './problem.js';

/** How often somebody may ask: so often in each second, and so often at once after a while of silence. */
export type Rate = readonly [perSecond: number, atOnce: number];

interface Allowance {
  readonly left: number;
  /** Milliseconds, when so much was left. */
  readonly at: number;
}

/** Of how many it is remembered. Whoever is forgotten has asked nothing for longest, and may ask as at first. */
const MOST_REMEMBERED = 10_000;

/** Lets each ask as often as a rate allows, whoever else asks. This instance only: others count for themselves. S6.5 */
export class Allowances {
  readonly #rate: Rate;
  readonly #of = new Map<string, Allowance>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** @throws ProblemError 429, with when to come again */
  take(who: string, now = Date.now()): void {
    const [perSecond, atOnce] = this.#rate;
    const known = this.#of.get(who) ?? { left: atOnce, at: now };
    const left = Math.min(atOnce, known.left + (Math.max(0, now - known.at) / 1_000) * perSecond);
    const allowed = left >= 1;
    // The one that has asked last is remembered longest.
    this.#of.delete(who);
    this.#of.set(who, { left: allowed ? left - 1 : left, at: now });
    if (this.#of.size > MOST_REMEMBERED) this.#of.delete(this.#of.keys().next().value!);
    if (!allowed) throw tooMany(perSecond === 0 ? 60 : Math.ceil((1 - left) / perSecond));
  }
}

function tooMany(seconds: number): ProblemError {
  const message = `You ask too often. Come again after ${seconds} s, and ask more slowly.`;
  return new ProblemError(429, 'too_many_requests', message, {}, { 'Retry-After': String(seconds) });
}
