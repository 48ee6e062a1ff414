/**
 * The time between looks at an entity that says nothing, in milliseconds: it doubles with each look, up to the longest. S4.4
 */
export interface LookDistance {
  readonly firstMs: number;
  readonly longestMs: number;
}

export const LOOK_DISTANCE: LookDistance = { firstMs: 30_000, longestMs: 600_000 };

/** When to look again after so many looks, in milliseconds since 1970. The last look was at `since`. */
export function lookAgainAt(since: number, looks: number, { firstMs, longestMs }: LookDistance): number {
  return since + Math.min(firstMs * 2 ** looks, longestMs);
}
