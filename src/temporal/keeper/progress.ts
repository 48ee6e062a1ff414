/*
 * How far the keeper has come. S4.4
 *
 * progress.1. No entity that was ended is missed. Visibility may be behind, so the keeper asks again for the time before. A
 *     loss that could not be told is tried again.
 * progress.2. A loss that was told is not told again when it is found again. Of very many at once, some are told twice, which
 *     does no harm.
 */

/** A run of an entity that did not end by itself. */
export interface Loss {
  readonly id: string;
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
}

/** A loss that could not be told yet. */
export interface UntoldLoss extends Loss {
  /** How often it was tried to tell it. */
  readonly tries: number;
}

export interface KeeperProgress {
  /** Everything before this time has been found, in milliseconds since 1970. */
  readonly since: number;
  /** The losses that were found from then on. */
  readonly known: readonly { readonly run: string; readonly endedAt: number }[];
  readonly untold: readonly UntoldLoss[];
}

/** The losses that one question has found, the oldest first. */
export interface Findings {
  readonly found: readonly Loss[];
  /** Tells whether there are more than one question finds. */
  readonly more: boolean;
}

/** How far visibility may be behind, in milliseconds. */
const BEHIND_MS = 60_000;
/** How far back the first keeper asks: an earlier keeper may have been ended by hand. */
const FIRST_LOOK_BACK_MS = 3_600_000;
/** How many losses are remembered, so that the keeper's input stays small. */
const MOST_KNOWN = 4_000;
/** With a round every five seconds, this is ten minutes. */
const MOST_TRIES = 120;
const MOST_UNTOLD = 1_000;

export function firstProgress(now: number): KeeperProgress {
  return { since: now - FIRST_LOOK_BACK_MS, known: [], untold: [] };
}

/** A short name of a run: the end of its id, which is random, while the beginning may be the time. */
export function shortRun(run: string): string {
  return run.slice(-12);
}

/** The progress after a question. `untold` are the findings that could not be told. */
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

/** Tells whether this was the last try. */
export function isLastTry(tries: number): boolean {
  return tries >= MOST_TRIES;
}
