import { NO_PARTITIONS, union, without, type PartitionSet } from '../partitions/partition-set.js';
import type { Instance, Lane } from './instance.js';

/** The jobs without a final status. */
export function openJobs({ partitions, succeeded, failed }: Instance): PartitionSet {
  return without(partitions, union(succeeded, failed));
}

/** Gives what the sets of all places have together. */
export function everywhere(byPlace: Readonly<Record<string, PartitionSet>>): PartitionSet {
  return union(...Object.values(byPlace));
}

/** The sets of places after one of them was changed. A place with nothing is left out. */
export function changedAt(
  byPlace: Readonly<Record<string, PartitionSet>>,
  place: string,
  change: (set: PartitionSet) => PartitionSet,
): Readonly<Record<string, PartitionSet>> {
  const { [place]: before = NO_PARTITIONS, ...others } = byPlace;
  const after = change(before);
  return after === NO_PARTITIONS ? others : { ...others, [place]: after };
}

export function lanesOf({ lanes }: Instance): readonly (readonly [string, Lane])[] {
  return Object.entries(lanes);
}

/** The jobs that a lane may still be at, also those that were taken away from it. */
export function inLanesAt(instance: Instance, place: string): PartitionSet {
  return union(...lanesOf(instance).flatMap(([, lane]) => (lane.place === place ? [lane.given] : [])));
}

/** All that is in lanes, wherever. */
export function inLanes(instance: Instance): PartitionSet {
  return union(...lanesOf(instance).map(([, { given }]) => given));
}

export function isPending({ calls }: Instance, kind: string, place?: string): boolean {
  return Object.values(calls).some((call) => call.kind === kind && (place === undefined || call.place === place));
}
