/*
 * The outcome of a lane.
 *
 * lane-answer.1. A job's final status is set once: a job is in one lane, which ends with its first answer. I6
 * lane-answer.2. A status or a result counts only from the lane that holds the job now. I1
 * lane-answer.3. Progress that goes along with a job counts also when the job was taken away from the lane meanwhile: nobody else has it
 *     before the lane has ended, and what it has left was cleaned up. I2
 * lane-answer.4. A job of a type that cannot fail has no failure: it is tried again for ever, with growing delay. I5
 * lane-answer.5. A job that waits for a lock and continues has waited since its first lane that has said so, as long as each one says so. I5
 */
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import { common, has, partitionSet, union, without } from '../partitions/partition-set.js';
import { retryDelay } from './retry-delay.js';
import type { LaneResult } from './input.js';
import type { Instance, JobTrouble, Lane } from './instance.js';
import { withResults } from './results.js';
import { changedAt } from './jobs.js';

/** A message is kept up to this length, so that thousands of them fit. */
const LONGEST_MESSAGE = 300;
/** When the place of thousands of jobs is ill, they all say the same. */
const MOST_MESSAGES = 200;
/** The most jobs whose locks are kept. */
const MOST_WAITS = 200;

export function laneEnded(
  operation: AnyDistributedOperation,
  before: Instance,
  number: string,
  { succeeded, results = {}, failed = [], later = [] }: LaneResult,
): Instance {
  const { [number]: lane, ...lanes } = before.lanes;
  if (!lane) return before;
  const counts = lane.partitions;
  const done = common(succeeded, counts);
  const fails = operation.canFail ? failed.filter(({ partition }) => has(counts, partition)) : [];
  const failures = partitionSet(fails.map(({ partition }) => partition));
  const final = union(done, failures);
  const said = Object.entries(results).filter(([partition]) => has(done, Number(partition)));
  const told = fails.map(({ partition, message, details }) => [`${partition}`, { message, details }] as const);
  const troubles: Record<string, JobTrouble> = { ...before.troubles };
  const progress: Record<string, unknown> = { ...before.progress };
  let messages = Object.values(troubles).filter(({ message }) => message !== undefined).length;
  const again = [
    ...later,
    ...(operation.canFail ? [] : failed.map((each) => ({ ...each, error: true, progress: undefined }))),
  ];
  for (const { partition, ...why } of again) {
    if (has(final, partition) || !has(lane.given, partition)) continue;
    if (operation.progress.kept === 'transferable' && why.progress !== undefined) progress[partition] = why.progress;
    if (!has(counts, partition)) continue;
    const attempts = (troubles[partition]?.attempts ?? 0) + ('error' in why && why.error ? 1 : 0);
    const wait = 'error' in why && why.error ? retryDelay(attempts) : 'afterMs' in why ? why.afterMs : undefined;
    if (wait === undefined) continue;
    const message = (why.message ?? 'it continues later').slice(0, LONGEST_MESSAGE);
    const known = troubles[partition]?.message !== undefined;
    if (!known && messages++ >= MOST_MESSAGES) troubles[partition] = { attempts, retryAt: before.now + wait };
    else troubles[partition] = { attempts, message, retryAt: before.now + wait };
  }
  for (const partition of [...Object.keys(troubles), ...Object.keys(progress)])
    if (has(final, Number(partition))) {
      delete troubles[partition];
      delete progress[partition];
    }
  return {
    ...before,
    ...{ lanes, troubles, progress },
    ...waitsAfter(before, lane, { succeeded, failed, later }),
    succeeded: union(before.succeeded, done),
    succeededAt: changedAt(before.succeededAt, lane.place, (set) => union(set, done)),
    failed: union(before.failed, failures),
    ...withResults(before, [...said, ...told]),
    begun: changedAt(before.begun, lane.place, (begun) => without(begun, final)),
  };
}

/** lane-answer.5 */
function waitsAfter(
  { waits: before = {} }: Instance,
  { place, partitions }: Lane,
  { succeeded, failed = [], later = [] }: LaneResult,
): Pick<Instance, 'waits'> {
  const begun = union(succeeded, partitionSet([...failed, ...later].map(({ partition }) => partition)));
  const others = Object.entries(before).filter(([partition]) => !has(common(begun, partitions), Number(partition)));
  const found = later.flatMap(({ partition, lock }) =>
    lock && has(partitions, partition) ? [[`${partition}`, { place, lock }] as const] : [],
  );
  const waits = [...others, ...found].slice(0, MOST_WAITS);
  return waits.length > 0 || Object.keys(before).length > 0 ? { waits: Object.fromEntries(waits) } : {};
}
