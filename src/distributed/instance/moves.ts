/*
 * The jobs follow the partitions of their target. I1
 *
 * moves.1. An older placement than the one that is known changes nothing.
 * moves.2. A job whose place does not hold its partition any more is taken away at once: what its lane says of it counts no longer.
 * moves.3. It is owed a clean-up where it was, before it runs anywhere.
 */
import { eligibleAt, type Placement } from '../partitions/placement.js';
import {
  allPartitions,
  common,
  NO_PARTITIONS,
  union,
  without,
  type PartitionSet,
} from '../partitions/partition-set.js';
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import type { Instance } from './instance.js';
import { changedAt, lanesOf } from './jobs.js';

export function placed(operation: AnyDistributedOperation, instance: Instance, placement: Placement): Instance {
  if (instance.placement && placement.version <= instance.placement.version) return instance;
  const partitions =
    instance.placement === undefined && instance.partitions === NO_PARTITIONS
      ? allPartitions(placement.partitions)
      : instance.partitions;
  const { moved = {} } = instance;
  const stay = Object.keys(moved).reduce(
    (so, place) => changedAt(so, place, (set) => common(set, eligibleAt(placement, place, operation.on))),
    moved,
  );
  let after: Instance = { ...instance, placement, partitions, ...(instance.moved && { moved: stay }) };
  for (const [place, begun] of Object.entries(instance.begun)) {
    const lost = without(begun, eligibleAt(placement, place, operation.on));
    if (lost !== NO_PARTITIONS) after = takenAway(after, place, lost);
  }
  return after;
}

/** Takes jobs away from a place that were begun there. moves.2, moves.3 */
export function takenAway(instance: Instance, place: string, lost: PartitionSet): Instance {
  const lanes = lanesOf(instance).map(([number, lane]) =>
    lane.place === place && common(lane.partitions, lost) !== NO_PARTITIONS
      ? ([number, { ...lane, partitions: without(lane.partitions, lost) }] as const)
      : ([number, lane] as const),
  );
  return {
    ...instance,
    lanes: Object.fromEntries(lanes),
    owed: changedAt(instance.owed, place, (owed) => union(owed, lost)),
  };
}
