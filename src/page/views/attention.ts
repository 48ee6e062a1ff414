import { useReading } from '../api/reading.js';
import type { Attention, EntitySummary, Concern } from '../api/shapes.js';
import { useWatch } from '../live/live.js';
import { readsEntities } from '../session/session.js';

/** A failure on Temporal's side alone does not change the counts, so it is asked for now and then. */
const EVERY_MS = 10_000;

/** How many there are of what, whenever that changes. */
export function useSummary(): EntitySummary | undefined {
  // The data that is told of the summary is the summary.
  return useWatch(readsEntities.value ? 'summary' : undefined).value?.data as EntitySummary | undefined;
}

/** Reads what concerns a person, again whenever the counts change. */
export function useAttention() {
  const summary = useSummary();
  return useReading<Attention>(readsEntities.value ? '/api/attention' : undefined, summary?.at, EVERY_MS);
}

/** Concerns with one cause: what fixes one may fix all. */
export interface ConcernGroup {
  readonly cause: string;
  readonly concerns: readonly [Concern, ...Concern[]];
}

/** The concerns by their cause, that with the oldest one first. */
export function groupsOf(concerns: readonly Concern[]): readonly ConcernGroup[] {
  const groups = new Map<string, Concern[]>();
  for (const each of concerns) groups.set(each.cause, [...(groups.get(each.cause) ?? []), each]);
  return [...groups].map(([cause, members]) => ({ cause, concerns: members as [Concern, ...Concern[]] }));
}
