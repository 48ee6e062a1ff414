/*
 * The order of what starts on an entity in the same millisecond: events of one batch, and the operations that they open. Rows are
 * numbered by it. S5.1
 */
import type { Snapshot } from '../../protocol/snapshot.js';

/** How many events have started before in this millisecond. */
export function startOrder({ starts }: Snapshot, now: number): number {
  return starts?.at === now ? starts.count : 0;
}

/** The order as a member of a record. The first of a millisecond has none, and most are the first. */
export function inStartOrder(snapshot: Snapshot, now: number): { readonly startOrder?: number } {
  const order = startOrder(snapshot, now);
  return order > 0 ? { startOrder: order } : {};
}

/** Counts one more start. */
export function countStart(snapshot: Snapshot, now: number): Pick<Snapshot, 'starts'> {
  return { starts: { at: now, count: startOrder(snapshot, now) + 1 } };
}
