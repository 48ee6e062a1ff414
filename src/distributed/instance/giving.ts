/*
 * Jobs are given to executors in lanes. I1
 *
 * giving.1. There are never more lanes than jobs may run at once, and none begins while the instance is paused
 *     or handed over.
 * giving.2. A job is in one lane at a time, and in none while a clean-up is owed for it.
 * giving.3. A job that was begun goes on where it was begun, as long as it may run there.
 * giving.4. A lane is given as many jobs that all lanes get several turns: the fewer are left, the shorter are the lanes.
 * giving.5. A job that a person has moved goes where they have moved it, as long as it may run there.
 */
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import {
  common,
  membersOf,
  NO_PARTITIONS,
  partitionSet,
  union,
  without,
  type PartitionSet,
} from '../partitions/partition-set.js';
import { eligibleAt, homeAt } from '../partitions/placement.js';
import type { Instance } from './instance.js';
import { changedAt, everywhere, inLanes, lanesOf, openJobs } from './jobs.js';

/** The most jobs of one lane: what it tells is one message. */
const MOST_JOBS = 100;

export function giveJobs(operation: AnyDistributedOperation, before: Instance): Instance {
  let instance = before;
  while (instance.pausedAt === undefined && !instance.draining && lanesOf(instance).length < instance.atOnce) {
    const next = nextLane(operation, instance);
    if (!next) break;
    const { place, partitions } = next;
    const number = instance.numbered + 1;
    instance = {
      ...instance,
      numbered: number,
      lanes: { ...instance.lanes, [number]: { place, given: partitions, partitions, at: instance.now } },
      begun: changedAt(instance.begun, place, (begun) => union(begun, partitions)),
      places: instance.places.includes(place) ? instance.places : [...instance.places, place],
    };
  }
  return instance;
}

function nextLane(operation: AnyDistributedOperation, instance: Instance) {
  const { placement, owed, troubles, now } = instance;
  if (!placement) return undefined;
  const waiting = Object.entries(troubles).flatMap(([partition, { retryAt }]) =>
    retryAt > now ? [Number(partition)] : [],
  );
  const taken = union(inLanes(instance), everywhere(owed), partitionSet(waiting));
  const free = without(openJobs(instance), taken);
  if (free === NO_PARTITIONS) return undefined;
  const lanesAt = (place: string) => lanesOf(instance).filter(([, lane]) => lane.place === place).length;
  const offers = Object.keys(placement.places)
    .map((place) => ({ place, partitions: common(free, wantedAt(operation, instance, place)) }))
    .filter(({ partitions }) => partitions !== NO_PARTITIONS)
    .sort((one, other) => lanesAt(one.place) - lanesAt(other.place));
  const offer = offers[0];
  if (!offer) return undefined;
  const members = membersOf(offer.partitions);
  const count = Math.min(MOST_JOBS, Math.ceil(members.length / (2 * instance.atOnce)));
  return { place: offer.place, partitions: partitionSet(members.slice(0, count)) };
}

/** giving.3, giving.5 */
function wantedAt({ on }: AnyDistributedOperation, { placement, begun, moved = {} }: Instance, place: string) {
  if (!placement) return NO_PARTITIONS;
  const mayBe = (jobs: Readonly<Record<string, PartitionSet>>, at: string) =>
    common(jobs[at] ?? NO_PARTITIONS, eligibleAt(placement, at, on));
  const elsewhere = (jobs: Readonly<Record<string, PartitionSet>>) =>
    union(...Object.keys(jobs).flatMap((other) => (other === place ? [] : [mayBe(jobs, other)])));
  const byItself = union(mayBe(begun, place), without(homeAt(placement, place, on), elsewhere(begun)));
  return union(mayBe(moved, place), without(byItself, elsewhere(moved)));
}
