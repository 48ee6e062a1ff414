import { toMilliseconds, type Duration } from '../definition/duration.js';
import type { Random } from './random.js';

/** A place in a run where a fault can strike. */
export interface Point {
  readonly kind: 'task' | 'call' | 'message' | 'question';
  /** The workflow that does it: `Box/a`, `op/...`. */
  readonly entity: string;
  /** The action that runs, or has just started. */
  readonly action?: string | undefined;
  /** `shelf.put` */
  readonly call?: string;
  /** Shows what a message is: the event that it raises, `report`, or what it tells an operation (`ended`, `moved`, `judged`). */
  readonly message?: string;
}

/**
 * - `crash`: the worker dies. In a task, it dies before the task is recorded, so the task is done again. In a call, it dies
 *   after the call has taken effect and before the answer is known, so the call is made again.
 * - `restart`: the worker dies right after the task was recorded; the next one goes on from the history.
 * - `long`: the run counts as long after the task, and continues as new as soon as it can.
 * - `fail`: the call fails and has no effect.
 * - `lose-answer`: the call takes effect, its answer is lost, and it is made again with the same idempotency key.
 * - `slow`: the call, or the answer of the store, takes its time. A call may take effect at the end of it, also where it was
 *   cancelled meanwhile.
 * - `late-effect`: the call takes effect half a minute later, also where it was cancelled meanwhile.
 * - `late`: the answer of the call comes as late as after a crash, and no worker dies.
 * - `away`: the store cannot be reached when it is asked about requests, and for some time after.
 * - `delay`, `double`: the message comes late; it comes twice. Events that entities raise on each other come once, as the
 *   service sees to.
 */
export type Fault =
  'crash' | 'restart' | 'long' | 'fail' | 'lose-answer' | 'slow' | 'late-effect' | 'late' | 'delay' | 'double' | 'away';

/** Describes how probable each kind of fault is at each place where it can strike, from 0 to 1. Default 0. */
export interface FaultRates {
  readonly crash?: number;
  readonly fail?: number;
  readonly loseAnswer?: number;
  readonly slow?: number;
  readonly delay?: number;
  readonly double?: number;
  readonly away?: number;
  /** The chance that a run is long enough to continue as new. */
  readonly rollOver?: number;
  /**
   * The chance that somebody reads an entity or operation: on a worker that has yet to get its task, and together with that
   * task.
   */
  readonly read?: number;
  /** The chance that the service's clock lags behind a timer that has ended. */
  readonly lag?: number;
  /** Sets after how much virtual time random faults end. Default 10 m. */
  readonly until?: Duration;
}

/** A fault at an exact place: every part of `at` that is given must fit. */
export interface Injection {
  readonly at: Partial<Omit<Point, 'kind'>> & {
    /** The number of the place among those that fit. Default 1, the first. */
    readonly occurrence?: number;
  };
  readonly fault: Fault;
}

const KINDS: Readonly<Record<Fault, readonly Point['kind'][]>> = {
  crash: ['task', 'call'],
  restart: ['task'],
  long: ['task'],
  fail: ['call'],
  'lose-answer': ['call'],
  slow: ['call', 'question'],
  'late-effect': ['call'],
  late: ['call'],
  away: ['question'],
  delay: ['message'],
  double: ['message'],
};

const WINDOW = '10m';
/** How far the service's clock lags at most, in milliseconds. */
export const LONGEST_LAG_MS = 50;

/** How often the keeper looks, in milliseconds. */
const KEEPER_ROUND_MS = 5_000;
/** How late it is at most, in milliseconds. */
const KEEPER_LATENESS_MS = 25_000;

/** Decides at each place whether a fault strikes: injected ones, and random ones. */
export class Faults {
  readonly #random: Random;
  readonly #rates: FaultRates;
  readonly #endsAt: number;
  readonly #injections: { readonly injection: Injection; seen: number }[] = [];
  /** Holds what each place was so far. */
  readonly points: Point[] = [];
  readonly #crashAt: { readonly place: number; readonly fault: Fault } | undefined;

  constructor(
    random: Random,
    rates: FaultRates,
    startedAt: number,
    crashAt?: { readonly place: number; readonly fault: Fault },
  ) {
    this.#random = random;
    this.#rates = rates;
    this.#endsAt = startedAt + toMilliseconds(rates.until ?? WINDOW);
    this.#crashAt = crashAt;
  }

  /** Where the crash struck that was injected by number. */
  struck: Point | undefined;

  inject(injection: Injection): void {
    this.#injections.push({ injection, seen: 0 });
  }

  /** The fault that strikes here, if any. */
  at(point: Point, now: number): Fault | undefined {
    const place = this.points.push(point) - 1;
    if (this.#crashAt?.place === place && KINDS[this.#crashAt.fault].includes(point.kind)) {
      this.struck = point;
      return this.#crashAt.fault;
    }
    return this.#injected(point) ?? (now < this.#endsAt ? this.#byChance(point.kind) : undefined);
  }

  /** Tells whether the run counts as long now. */
  rollOver(now: number): boolean {
    return now < this.#endsAt && this.#random.chance(this.#rates.rollOver ?? 0);
  }

  /** Tells whether somebody reads now. */
  read(now: number): boolean {
    return now < this.#endsAt && this.#random.chance(this.#rates.read ?? 0);
  }

  /** Tells whether another worker has begun a task of what is read, and does not finish it. */
  isBegunElsewhere(): boolean {
    return this.#random.chance(0.5);
  }

  /** Tells whether the worker that is read then has the run from a read before. */
  isReadBefore(): boolean {
    return this.#random.chance(0.5);
  }

  /** By how much the service's clock lags, in milliseconds. */
  lag(now: number): number {
    const lags = now < this.#endsAt && this.#random.chance(this.#rates.lag ?? 0);
    return lags ? Math.ceil(this.#random.next() * LONGEST_LAG_MS) : 0;
  }

  /** How long a slow call takes, in milliseconds: mostly little, at times more than a minute. */
  slowness(): number {
    return Math.ceil(10 ** (1 + this.#random.next() * 4));
  }

  /** Tells whether a slow call takes effect at its end, and not at its beginning. */
  isEffectLate(): boolean {
    return this.#random.chance(0.5);
  }

  /** Tells whether a call that was cancelled in time has no effect. */
  isCancelHonoured(): boolean {
    return this.#random.chance(0.5);
  }

  /** How long the store is unavailable, in milliseconds: at most ten minutes, far longer than anything waits for it. */
  absence(): number {
    return Math.ceil(10 ** (1 + this.#random.next() * 4.8));
  }

  /** How late a message is, in milliseconds: at most ten seconds, far less than what is taken for lost. */
  lateness(): number {
    return Math.ceil(10 ** (1 + this.#random.next() * 3));
  }

  /** How long it takes until the keeper tells that an entity was ended, in milliseconds; at times it tells twice. */
  keeperDelays(now: number): readonly number[] {
    const { delay = 0, double = 0 } = this.#rates;
    const someTime = () => (this.#random.chance(delay) && now < this.#endsAt ? KEEPER_LATENESS_MS : KEEPER_ROUND_MS);
    const first = Math.ceil(this.#random.next() * someTime());
    return this.#random.chance(double) ? [first, first + Math.ceil(this.#random.next() * someTime())] : [first];
  }

  #injected(point: Point): Fault | undefined {
    for (const each of this.#injections) {
      const { at, fault } = each.injection;
      if (!KINDS[fault].includes(point.kind) || !fits(at, point, fault)) continue;
      each.seen++;
      if (each.seen === (at.occurrence ?? 1)) return fault;
    }
    return undefined;
  }

  #byChance(kind: Point['kind']): Fault | undefined {
    const { crash = 0, fail = 0, loseAnswer = 0, slow = 0, delay = 0, double = 0, away = 0 } = this.#rates;
    switch (kind) {
      case 'task':
        if (!this.#random.chance(crash)) return undefined;
        return this.#random.chance(0.5) ? 'crash' : 'restart';
      case 'call':
        return this.#one([
          ['crash', crash],
          ['fail', fail],
          ['lose-answer', loseAnswer],
          ['slow', slow],
        ]);
      case 'question':
        return this.#one([
          ['away', away],
          ['slow', slow],
        ]);
      case 'message':
        return this.#one([
          ['delay', delay],
          ['double', double],
        ]);
    }
  }

  #one(choices: readonly (readonly [Fault, number])[]): Fault | undefined {
    return choices.find(([, probability]) => this.#random.chance(probability))?.[0];
  }
}

/** A crash that names a call strikes at the call; one that names none, at a task. */
function fits(at: Injection['at'], point: Point, fault: Fault): boolean {
  if (fault === 'crash' && (at.call !== undefined) !== (point.kind === 'call')) return false;
  return (
    (at.entity === undefined || at.entity === point.entity) &&
    (at.action === undefined || at.action === point.action) &&
    (at.call === undefined || at.call === point.call) &&
    (at.message === undefined || at.message === point.message)
  );
}
