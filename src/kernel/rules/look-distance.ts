/** How far apart the looks after those who say nothing are, in milliseconds: each twice as far as the one before, up to the longest. S4.4 */
export interface LookDistance {
  readonly firstMs: number;
  readonly longestMs: number;
}

export const LOOK_DISTANCE: LookDistance = { firstMs: 30_000, longestMs: 600_000 };

/** When to look again after so many looks, the last of them at `since`. In milliseconds since 1970. */
export function lookAgainAt(since: number, looks: number, { firstMs, longestMs }: LookDistance): number {
  return since + Math.min(firstMs * 2 ** looks, longestMs);
}
