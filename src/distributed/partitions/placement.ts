import { NO_PARTITIONS, union, without, type PartitionSet } from './partition-set.js';

/** Of one place: the partitions whose primary it has, and those of which it has another replica. */
export interface PlaceHolds {
  readonly primary: PartitionSet;
  readonly secondary?: PartitionSet;
}

/** Describes who holds which partition of a target, as the target says. A later one has a higher version. I1 */
export interface Placement {
  readonly version: number;
  /** Shows how many partitions there are; they are numbered from 0. */
  readonly partitions: number;
  /** A place is where a replica of a partition lives, and the name of whoever executes jobs there. */
  readonly places: Readonly<Record<string, PlaceHolds>>;
}

/** Describes where jobs of a type may run: where the primary of their partition is, or where any replica is. I1 */
export type JobPlace = 'primary' | 'any';

/** The partitions whose jobs may run at a place. */
export function eligibleAt({ places }: Placement, place: string, on: JobPlace): PartitionSet {
  const holds = places[place];
  if (!holds) return NO_PARTITIONS;
  return on === 'primary' ? holds.primary : union(holds.primary, holds.secondary ?? NO_PARTITIONS);
}

/** The partitions whose jobs are best given to a place: a job that may run anywhere spares the primary where it can. */
export function homeAt(placement: Placement, place: string, on: JobPlace): PartitionSet {
  const holds = placement.places[place];
  if (!holds) return NO_PARTITIONS;
  if (on === 'primary') return holds.primary;
  const spared = Object.values(placement.places).map(({ secondary = NO_PARTITIONS }) => secondary);
  return union(holds.secondary ?? NO_PARTITIONS, without(holds.primary, union(...spared)));
}
