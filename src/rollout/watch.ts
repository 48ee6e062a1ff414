import type { ComparedAction, Watched } from './guard.js';
import { isInCohort } from './cohort.js';
import type { Fleet } from './fleet.js';

/**
 * Tells how each action has ended: of entities from when a build has taken them over, and of all others since some time before the
 * rollout began.
 */
export type CountActions = (
  since: number,
  takenOver: ReadonlyMap<string, number>,
) => Promise<readonly ComparedAction[]>;

/** Lists are some time behind. */
const BEHIND_MS = 10_000;

/** Looks again and again how a build does. */
export class BuildWatch {
  readonly #fleet: Fleet;
  readonly #build: string;
  /** When the rollout began, in milliseconds since 1970. */
  readonly #since: number;
  readonly #countActions: CountActions | undefined;
  /** When the build has taken each workflow over. */
  readonly #takenOver = new Map<string, number>();
  #latest: number;

  constructor(fleet: Fleet, build: string, since: number, countActions?: CountActions) {
    this.#fleet = fleet;
    this.#build = build;
    this.#since = since;
    this.#latest = since;
    this.#countActions = countActions;
  }

  /** @param percent the part of the workflows that the ramp leads to the build */
  async look(percent: number): Promise<Watched> {
    const failing: string[] = [];
    for await (const { id, build, startedAt } of this.#fleet.failing()) {
      // Before its first task, a run tells no build.
      const comes = build === undefined && startedAt >= this.#since && isInCohort(id, percent);
      if (build === this.#build || comes) failing.push(id);
    }
    const actions = await this.#actions();
    return { failing, ...(actions && { actions }) };
  }

  async #actions() {
    if (!this.#countActions) return undefined;
    for await (const { id, startedAt } of this.#fleet.on(this.#build, this.#latest - BEHIND_MS)) {
      if (!this.#takenOver.has(id)) this.#takenOver.set(id, startedAt);
      this.#latest = Math.max(this.#latest, startedAt);
    }
    return this.#countActions(this.#since, this.#takenOver);
  }
}
