import type { Overview } from './fact.js';
import { unsettled } from './unsettled.js';

/** The part of the world that matters here. */
interface Settled extends Overview {
  /** More steps than any run needs, unless it never ends. */
  readonly manySteps: number;
  idleUntil(until: number): boolean;
  onlyTimersLeft(): boolean;
}

/**
 * Tells whether a simulation has come to rest, asked after each step. Timers may go on for ever: periodic ones, and those for looks.
 * Where they keep the entities always busy, the simulation has come to rest when everything that was under way many steps ago
 * has settled.
 */
export class Settling {
  readonly #world: Settled;
  #steps = 0;
  #patience = 0;
  #busy = false;
  /** All that was under way after many steps. */
  #early: readonly string[] | undefined;

  constructor(world: Settled) {
    this.#world = world;
  }

  /** Tells whether it was never quiet. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Tells whether somebody outside may still answer what is waited for. */
  #mayStillBeAnswered(): boolean {
    const { now } = this.#world;
    const isAwaited = this.#world
      .entities()
      .some(({ snapshot }) => snapshot.running?.awaits?.some(({ kind, until }) => kind === 'answer' && until > now));
    return isAwaited && this.#patience++ < MOST_PATIENCE;
  }

  /** @throws what `stuck` makes of it when something does not come to an end */
  done(stuck: (why: string) => Error): boolean {
    const world = this.#world;
    if (world.idleUntil(Infinity)) return true;
    if (world.onlyTimersLeft() && unsettled(world).length === 0) return true;
    this.#steps++;
    if (this.#steps < world.manySteps) return false;
    this.#early ??= underWay(world);
    if (this.#steps < 2 * world.manySteps) return false;
    const now = new Set(underWay(world));
    if (this.#early.some((each) => now.has(each))) {
      if (!this.#mayStillBeAnswered()) throw stuck(`no end after ${this.#steps} steps`);
      this.#steps = 0;
      this.#early = undefined;
      return false;
    }
    this.#busy = true;
    return true;
  }
}

/** How often it is waited on for answers from outside, which take days: other entities may be busy meanwhile. */
const MOST_PATIENCE = 20;

/** The names of everything that has to end at some time. */
function underWay(overview: Overview): readonly string[] {
  return [
    ...overview.operations().map(({ id }) => id),
    ...overview.entities().flatMap(({ subject: { id, life }, snapshot }) => {
      const { engagements, waiting, running, judgements, reservation, version } = snapshot;
      return [
        ...[...engagements, ...waiting].map((event) => `${id} event ${event.id}`),
        ...(running
          ? [`${id} life ${life} runs '${running.action}' in version ${version}, attempt ${snapshot.attempt}`]
          : []),
        ...judgements.map((judgement) => `${id} judgement ${judgement.id}`),
        ...(reservation ? [`${id} reserved ${reservation.wait}`] : []),
      ];
    }),
  ];
}
