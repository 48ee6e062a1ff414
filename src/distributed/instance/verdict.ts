import { NO_PARTITIONS, without, type PartitionSet } from '../partitions/partition-set.js';
import { assignmentOf } from './assignments.js';
import type { Instance } from './instance.js';

/** Describes what an executor hears that asks whether its lane should go on. */
export interface Verdict {
  /** `pause`: no job begins, and those that can be interrupted stop. `cancel`: all stop at once. */
  readonly kind: 'go on' | 'pause' | 'cancel';
  /** The jobs that are its own no longer. */
  readonly withdrawn: PartitionSet;
}

/** phases.1 */
export function verdictOf(instance: Instance, number: string): Verdict {
  const lane = instance.lanes[number];
  if (!lane || instance.phase !== 'running') return { kind: 'cancel', withdrawn: NO_PARTITIONS };
  const withdrawn = without(lane.given, lane.partitions);
  return { kind: lane.pausing ? 'pause' : 'go on', withdrawn };
}

/** Tells whether the executor of a lane has to ask. */
export function shouldLook(instance: Instance, number: string): boolean {
  if (!(number in instance.lanes)) return false;
  const { kind, withdrawn } = verdictOf(instance, number);
  return kind !== 'go on' || withdrawn !== NO_PARTITIONS;
}

/**
 * Describes what an executor does with its record of a job: keeps it, since the job is still its own; cleans up what the job has left; or
 * forgets the record, and with it only what is unfinished. I2
 */
export type RecordVerdict = 'keep' | 'clean up' | 'forget';

/** By the instance, if there still is one. */
export function recordVerdict(
  instance: Instance | undefined,
  place: string,
  { partition, assignment }: { readonly partition: number; readonly assignment: number },
): RecordVerdict {
  if (!instance) return 'forget';
  if (assignment < assignmentOf(instance, partition)) return 'clean up';
  const isIn = (set: PartitionSet = NO_PARTITIONS) => without(`${partition}`, set) === NO_PARTITIONS;
  const { begun, owed, succeededAt, phase } = instance;
  // All that a finished job has made is its completion's.
  if (isIn(succeededAt[place])) return phase === 'ended' ? 'forget' : 'keep';
  return phase === 'running' && isIn(begun[place]) && !isIn(owed[place]) ? 'keep' : 'clean up';
}
