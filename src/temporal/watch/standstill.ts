/*
 * Tells when to look at a thread that stands still, and for how long it has.
 *
 * standstill.1. Looks come one after the other. A look stops the thread, for seconds where it has loaded much code: several at once would
 * stop it for good.
 * standstill.2. Looks take a tenth of the time at most.
 * standstill.3. How long looks took does not count: the thread stood still for us then.
 */

/** After this time without a tick, in milliseconds, the thread is looked at, and again each time. */
const LOOK_AFTER_MS = 1_000;
/** How long it has to have computed by then, in milliseconds: on a busy machine innocent code stands still too. */
const COMPUTED_MS = 300;
/** After which time it is looked at in any case, in milliseconds: code may wait without giving way. */
const IN_ANY_CASE_MS = 10_000;
/** How many times as long as a look takes nobody looks again. */
const REST = 9;

export class Standstill {
  #tick = -1;
  #since = 0;
  #computedBefore = 0;
  /** When the look began that is under way. */
  #lookBeganAt: number | undefined;
  /** How long looks have taken that have ended since the last tick. */
  #lookedMs = 0;
  #nextLookAt = 0;
  readonly #computed: (() => number) | undefined;

  /** @param computed how long the thread has computed in its life, in milliseconds; without it, it is looked at even if it only waits */
  constructor(computed?: () => number) {
    this.#computed = computed;
  }

  /** Notes the tick of the thread. @returns whether it has gone on */
  note(tick: number, now: number): boolean {
    if (tick === this.#tick) return false;
    [this.#tick, this.#since, this.#computedBefore] = [tick, now, this.#computed?.() ?? 0];
    this.#lookedMs = 0;
    this.#nextLookAt = Math.max(this.#nextLookAt, now + LOOK_AFTER_MS);
    return true;
  }

  /** For how long the thread has stood still, in milliseconds. standstill.3 */
  lastsMs(now: number): number {
    return now - this.#since - this.#lookedMs - this.#looksFor(now);
  }

  /** Tells whether to begin a look, which `looked` ends. standstill.1, .2 */
  mayLook(now: number): boolean {
    if (this.#lookBeganAt !== undefined || now < this.#nextLookAt) return false;
    const computed = this.#computed ? this.#computed() - this.#computedBefore : Infinity;
    if (computed < COMPUTED_MS && this.lastsMs(now) < IN_ANY_CASE_MS) return false;
    this.#lookBeganAt = now;
    return true;
  }

  /** Ends a look. */
  looked(now: number): void {
    this.#lookedMs += this.#looksFor(now);
    this.#nextLookAt = now + Math.max(LOOK_AFTER_MS, REST * (now - this.#lookBeganAt!));
    this.#lookBeganAt = undefined;
  }

  /** For how long the look that is under way has taken of this standstill. */
  #looksFor(now: number): number {
    return this.#lookBeganAt === undefined ? 0 : now - Math.max(this.#lookBeganAt, this.#since);
  }
}
