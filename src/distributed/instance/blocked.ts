import { NO_PARTITIONS, union, without, type PartitionSet } from '../partitions/partition-set.js';
import type { Instance } from './instance.js';
import { everywhere, inLanes, openJobs } from './jobs.js';

/**
 * Describes jobs that wait for something else than their turn: for an executor of their place, for a lock of others that they have said, for the
 * clean-up where they were before, or for a place that holds their partitions. I1, I5
 */
export interface BlockedJobs {
  readonly kind: 'executor' | 'lock' | 'clean_up' | 'no_place';
  readonly partitions: PartitionSet;
  readonly place?: string;
  readonly message: string;
  /** In milliseconds since 1970. */
  readonly since?: number;
  /** The processes that hold the lock, such as backends of PostgreSQL. */
  readonly pids?: readonly number[];
}

/** Gives what blocks jobs as far as the instance knows. Executors know the rest. */
export function blockedIn(instance: Instance): readonly BlockedJobs[] {
  const { phase, placement, owed } = instance;
  if (phase !== 'running' || !placement) return [];
  const cleaned = Object.entries(owed).map(([place, partitions]): BlockedJobs => {
    return { kind: 'clean_up', place, partitions, message: `They wait for the clean-up at ${place}.` };
  });
  const held = union(
    ...Object.values(placement.places).flatMap(({ primary, secondary = NO_PARTITIONS }) => [primary, secondary]),
  );
  const nowhere = without(openJobs(instance), union(held, inLanes(instance), everywhere(owed)));
  if (nowhere === NO_PARTITIONS) return cleaned;
  return [...cleaned, { kind: 'no_place', partitions: nowhere, message: 'No place holds these partitions now.' }];
}
