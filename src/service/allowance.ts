import { ProblemError } from './problem.js';

/** How often somebody may ask: steadily, in requests per second, and how many requests at once after a while of silence. */
export type Rate = readonly [perSecond: number, atOnce: number];

interface Allowance {
  readonly left: number;
  /** When so much was left, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * How many callers are remembered. The one who has asked nothing for longest is forgotten first, and may then ask as at first.
 */
const MOST_REMEMBERED = 10_000;

/** Lets each caller ask as often as a rate allows, whoever else asks. Each instance of the service counts for itself. S6.5 */
export class Allowances {
  readonly #rate: Rate;
  readonly #of = new Map<string, Allowance>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** @throws ProblemError 429, which says when to come again */
  take(who: string, now = Date.now()): void {
    const [perSecond, atOnce] = this.#rate;
    const known = this.#of.get(who) ?? { left: atOnce, at: now };
    const left = Math.min(atOnce, known.left + (Math.max(0, now - known.at) / 1_000) * perSecond);
    const allowed = left >= 1;
    // Anyone who has asked last goes to the end of the map, and so is remembered longest.
    this.#of.delete(who);
    this.#of.set(who, { left: allowed ? left - 1 : left, at: now });
    if (this.#of.size > MOST_REMEMBERED) this.#of.delete(this.#of.keys().next().value!);
    if (!allowed) throw tooMany(perSecond === 0 ? 60 : Math.ceil((1 - left) / perSecond));
  }
}

function tooMany(seconds: number): ProblemError {
  const message = `Too many requests. Try again in ${seconds} s, and send fewer requests a second.`;
  return new ProblemError('too_many_requests', message, {}, { 'Retry-After': String(seconds) });
}
