/*
 * What is watched while a build takes over, and when it is too much: pure.
 */

/** How actions have ended, of the entities on some builds. */
export interface ActionCounts {
  readonly ended: number;
  /** Those that threw, broke a rule, or have used up their attempts. */
  readonly failed: number;
}

/** What is known of a build since its rollout began. */
export interface Watched {
  /** The workflows on it, or on their way to it, whose tasks fail again and again. */
  readonly failing: readonly string[];
  /** Actions on the new build and on the others; nothing where no store tells it. */
  readonly actions?: { readonly here: ActionCounts; readonly elsewhere: ActionCounts };
}

export interface GuardLimits {
  /** How many workflows may have tasks that fail. */
  readonly failing: number;
  /** By how many percent of all actions more may fail than on the other builds. */
  readonly failedPercent: number;
  /** So many failed actions are never too much, since one proves nothing. */
  readonly failedAtLeast: number;
}

export const LIMITS: GuardLimits = { failing: 0, failedPercent: 5, failedAtLeast: 3 };

/** So many standard deviations more than usual are no chance any more, though it is looked again and again. */
const MOST_BY_CHANCE = 4;

/** Why the build should be taken back; nothing while it should not. */
export function objection(watched: Watched, limits: GuardLimits = LIMITS): string | undefined {
  const { failing, actions } = watched;
  if (failing.length > limits.failing) {
    return `the workflow tasks of ${failing.length === 1 ? '' : `${failing.length} workflows, such as `}${failing[0]} fail again and again`;
  }
  if (!actions) return undefined;
  const { here, elsewhere } = actions;
  const usual = share(elsewhere);
  const chance = MOST_BY_CHANCE * Math.sqrt(here.ended * usual * (1 - usual));
  const isMore = share(here) - usual > limits.failedPercent / 100 && here.failed > here.ended * usual + chance;
  if (here.failed < limits.failedAtLeast || !isMore) return undefined;
  const others = elsewhere.ended === 0 ? '' : `, and ${elsewhere.failed} of ${elsewhere.ended} on the other builds`;
  return `${here.failed} of ${here.ended} actions have failed on it${others}`;
}

function share({ ended, failed }: ActionCounts): number {
  return ended === 0 ? 0 : failed / ended;
}
