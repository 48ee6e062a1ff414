/*
 * How far the keeper is. S4.4
 *
 * progress.1. Nothing that was ended is passed over: what is found late, since visibility is behind, is found by asking again for
 *     the time before, and what could not be told is tried again.
 * progress.2. What was told is not told again, as long as it is found again; of very many at once, some are told twice, which
 *     does no harm.
 */

/** A run of an entity that was ended by other hands than its own. */
export interface Loss {
  readonly id: string;
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
}

/** A loss that could not be told yet. */
export interface UntoldLoss extends Loss {
  /** How often it was tried. */
  readonly tries: number;
}

export interface KeeperProgress {
  /** Everything before this time has been found, in milliseconds since 1970. */
  readonly since: number;
  /** What was found from then on. */
  readonly known: readonly { readonly run: string; readonly endedAt: number }[];
  readonly untold: readonly UntoldLoss[];
}

/** What one question has found: the oldest first. */
export interface Findings {
  readonly found: readonly Loss[];
  /** There is more than was asked for at a time. */
  readonly more: boolean;
}

/** How far visibility may be behind, in milliseconds. */
const BEHIND_MS = 60_000;
/** How far back the first keeper asks: the one before it may have been ended by hand, like anything else. */
const FIRST_LOOK_BACK_MS = 3_600_000;
/** More are not remembered, so that what the keeper carries stays small. */
const MOST_KNOWN = 4_000;
/** With a round every five seconds, for ten minutes. */
const MOST_TRIES = 120;
const MOST_UNTOLD = 1_000;

export function firstProgress(now: number): KeeperProgress {
  return { since: now - FIRST_LOOK_BACK_MS, known: [], untold: [] };
}

/** A short name of a run: its end is chance, its beginning may be the time. */
export function shortRun(run: string): string {
  return run.slice(-12);
}

/** After a question that was asked at a time, and with what of its findings could not be told. */
export function advance(
  { since, known }: KeeperProgress,
  { found, more }: Findings,
  untold: readonly UntoldLoss[],
  askedAt: number,
): KeeperProgress {
  const last = found.at(-1);
  const next = more && last ? last.endedAt : Math.max(since, askedAt - BEHIND_MS);
  const all = [...known, ...found.map(({ run, endedAt }) => ({ run: shortRun(run), endedAt }))];
  return {
    since: next,
    known: all.filter(({ endedAt }) => endedAt >= next).slice(-MOST_KNOWN),
    untold: untold.filter(({ tries }) => tries < MOST_TRIES).slice(0, MOST_UNTOLD),
  };
}

/** Whether this was the last try. */
export function isLastTry(tries: number): boolean {
  return tries >= MOST_TRIES;
}
