/*
 * The assignments of jobs are numbered. A number that is left out is 0, that of the first one. I1
 *
 * assignments.1. An assignment ends when the job was taken away from its place, and that has cleaned up or does not answer; and when its
 *     completion opens the job again.
 * assignments.2. What is recorded of a job under a lower number is of an older assignment: it is cleaned up before the job runs there
 *     again, however long the executor was away, and its status and progress do not count.
 */
import { common, has, membersOf, union, without, type PartitionSet } from '../partitions/partition-set.js';
import type { Instance } from './instance.js';
import { changedAt } from './jobs.js';

/** The assignments of jobs after those of some were ended by a call. */
export function reassigned(
  { assignments }: Instance,
  number: string,
  partitions: PartitionSet,
): Instance['assignments'] {
  const others = Object.keys(assignments).reduce(
    (so, each) => changedAt(so, each, (set) => without(set, partitions)),
    assignments,
  );
  return changedAt(others, number, (set) => union(set, partitions));
}

/** The numbers of the assignments of jobs, by partition, of those that are not in their first one. */
export function assignmentsOf({ assignments }: Instance, partitions: PartitionSet): ReadonlyMap<number, number> {
  return new Map(
    Object.entries(assignments).flatMap(([number, set]) =>
      membersOf(common(set, partitions)).map((partition) => [partition, Number(number)] as const),
    ),
  );
}

export function assignmentOf({ assignments }: Instance, partition: number): number {
  const found = Object.entries(assignments).find(([, set]) => has(set, partition));
  return Number(found?.[0] ?? 0);
}
