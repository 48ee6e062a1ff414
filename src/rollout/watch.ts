import { sum, type ActionCounts, type ComparedAction, type Watched } from './guard.js';
import { isInCohort } from './cohort.js';
import type { Fleet } from './fleet.js';

/** Tells how each action has ended in a span of time: of entities from when a build has taken them over, and of all others. */
export type CountActions = (
  span: { readonly since: number; readonly until?: number },
  takenOver: ReadonlyMap<string, number>,
) => Promise<readonly ComparedAction[]>;

/** How actions ended for so long before a rollout began is usual, too, in milliseconds. */
const USUAL_MS = 3_600_000;
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
  /** How actions ended before the rollout. It changes no more, so it is asked once. */
  #before: readonly ComparedAction[] | undefined;

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
    const since = this.#since;
    this.#before ??= await this.#countActions({ since: since - USUAL_MS, until: since }, new Map());
    return withUsual(await this.#countActions({ since }, this.#takenOver), this.#before);
  }
}

const NONE: ActionCounts = { ended: 0, failed: 0 };

/** Each action, with how it ended before the rollout as well. */
function withUsual(lately: readonly ComparedAction[], before: readonly ComparedAction[]): readonly ComparedAction[] {
  const names = new Set([...lately, ...before].map(({ action }) => action));
  return [...names].map((action) => {
    const [now, then] = [lately, before].map((all) => all.find((each) => each.action === action));
    return { action, here: now?.here ?? NONE, elsewhere: sum([now?.elsewhere ?? NONE, then?.elsewhere ?? NONE]) };
  });
}
