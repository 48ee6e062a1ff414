import type { Snapshot } from '../../protocol/snapshot.js';

/**
 * Whether another build of the code may take the entity over: what runs, waits to begin anew, or is promised to others ends on the
 * build on which it began. Q2
 */
export function mayChangeBuild({ running, postponed, reservation, holds }: Snapshot): boolean {
  return !running && !postponed && !reservation && holds.length === 0;
}
