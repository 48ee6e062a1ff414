/*
 * All that is watched while a build takes over, and when it is too much: pure.
 */

/** How actions have ended, of the entities on some builds. */
export interface ActionCounts {
  readonly ended: number;
  /** Those that threw, broke a rule, or have used up their attempts. */
  readonly failed: number;
}

/** How one action ends on the new build, and how on the others: some fail more often than others, whatever the build. */
export interface ComparedAction {
  /** Like `Order.ship`. */
  readonly action: string;
  readonly here: ActionCounts;
  readonly elsewhere: ActionCounts;
}

/** All that is known of a build since its rollout began. */
export interface Watched {
  /** The workflows on it, or on their way to it, whose tasks fail again and again. */
  readonly failing: readonly string[];
  /** Actions on the new build and on the others, each by its name; nothing where no store tells it. */
  readonly actions?: readonly ComparedAction[];
}

export interface GuardLimits {
  /** How many workflows may have tasks that fail. */
  readonly failing: number;
  /** By how many percent more may fail than on the other builds, of all actions and of each. */
  readonly failedPercent: number;
  /** So many failed actions are never too much, since one proves nothing. */
  readonly failedAtLeast: number;
}

export const LIMITS: GuardLimits = { failing: 0, failedPercent: 5, failedAtLeast: 3 };

/** So many standard deviations more than usual are no chance any more, though it is looked again and again. */
const MOST_BY_CHANCE = 4;

/** Why the build should be rolled back; nothing while it should not. */
export function objection(watched: Watched, limits: GuardLimits = LIMITS): string | undefined {
  const { failing, actions } = watched;
  if (failing.length > limits.failing) {
    return `the workflow tasks of ${failing.length === 1 ? '' : `${failing.length} workflows, such as `}${failing[0]} keep failing`;
  }
  if (!actions) return undefined;
  const [here, elsewhere] = [sum(actions.map((each) => each.here)), sum(actions.map((each) => each.elsewhere))];
  const judged = actions.map((each) => ({ ...each, usual: usualShare(each.elsewhere, elsewhere) }));
  // The failures of one action alone would be lost among all the others that do not fail.
  if (![judged, ...judged.map((each) => [each])].some((some) => isTooMuch(some, limits))) return undefined;
  const others = elsewhere.ended === 0 ? '' : `, and ${elsewhere.failed} of ${elsewhere.ended} on the other builds`;
  const [worst] = judged.toSorted((one, other) => excess(other) - excess(one));
  const most = `, most of them in ${worst!.action} (${worst!.here.failed} of ${worst!.here.ended})`;
  return `${here.failed} of ${here.ended} actions have failed on it${others}${most}`;
}

/** An action with the share of it that fails on the other builds. */
type JudgedAction = ComparedAction & { readonly usual: number };

function isTooMuch(actions: readonly JudgedAction[], { failedAtLeast, failedPercent }: GuardLimits): boolean {
  const { ended, failed } = sum(actions.map(({ here }) => here));
  const more = actions.reduce((all, each) => all + excess(each), 0);
  const variance = actions.reduce((all, { here, usual }) => all + here.ended * usual * (1 - usual), 0);
  return failed >= failedAtLeast && more > ended * (failedPercent / 100) && more > MOST_BY_CHANCE * Math.sqrt(variance);
}

export function sum(counts: readonly ActionCounts[]): ActionCounts {
  return counts.reduce((all, { ended, failed }) => ({ ended: all.ended + ended, failed: all.failed + failed }), {
    ended: 0,
    failed: 0,
  });
}

/** The share that fails of an action, by the rule of succession: few that went well prove little. Of one that never ran: as of all. */
function usualShare(of: ActionCounts, all: ActionCounts): number {
  if (of.ended > 0) return (of.failed + 1) / (of.ended + 2);
  return all.ended === 0 ? 0 : all.failed / all.ended;
}

/** How many more have failed than usual. */
function excess({ here, usual }: JudgedAction): number {
  return here.failed - here.ended * usual;
}
