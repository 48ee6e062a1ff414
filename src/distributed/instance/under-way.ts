import { membersOf, NO_PARTITIONS, union } from '../partitions/partition-set.js';
import { assignmentsOf } from './assignments.js';
import type { InstanceEffect, InstanceRef } from './effect.js';
import type { Instance } from './instance.js';

/** All that an instance has under way, for a coordinator that goes on with its data. phases.3 */
export function underWay(instance: Instance): readonly InstanceEffect[] {
  return [...Object.keys(instance.lanes), ...Object.keys(instance.calls)].map((number) => effectOf(instance, number));
}

/** Names an operation by its target, its type and its number. */
export function refOf({ start: { target, type, instance } }: Instance): InstanceRef {
  return { target, type, instance };
}

/** The lane or call with a number, as what is wanted of the world. */
export function effectOf(instance: Instance, numbered: string): InstanceEffect {
  const number = Number(numbered);
  const of = refOf(instance);
  const { argument } = instance.start;
  const lane = instance.lanes[numbered];
  if (lane) {
    const { place } = lane;
    const { progress, perSecond, waits = {} } = instance;
    const assignments = assignmentsOf(instance, lane.partitions);
    const jobs = membersOf(lane.partitions).map((partition) => ({
      partition,
      ...(assignments.has(partition) && { assignment: assignments.get(partition)! }),
      ...(`${partition}` in progress && { progress: progress[partition] }),
      ...(waits[partition]?.place === place && { lock: waits[partition].lock }),
    }));
    const work = { ...of, place, number, argument, jobs, ...(perSecond !== undefined && { perSecond }) };
    return { kind: 'lane', number, work };
  }
  const { kind, place = '', partitions = NO_PARTITIONS } = instance.calls[numbered]!;
  switch (kind) {
    case 'clean':
      return { kind, number, work: { ...of, place, number, argument, partitions } };
    case 'tidy':
      return { kind, number, work: { ...of, place, number, finished: instance.succeededAt[place] ?? NO_PARTITIONS } };
    case 'place':
      return { kind, number, target: of.target };
    case 'complete':
      return { kind, number, work: { ...of, argument, completing: completingOf(instance) } };
    case 'leave':
      return { kind, number, of, starts: instance.starts };
  }
}

function completingOf(instance: Instance) {
  const { outcome = 'failed', partitions, results, resultsLeftOut } = instance;
  const succeeded = union(instance.succeeded, instance.reopened);
  return {
    instance: nameOf(refOf(instance)),
    success: outcome === 'succeeded',
    outcome,
    partitions,
    succeeded,
    ...{ results, resultsLeftOut },
  };
}

/** The name of an instance for people and programs: `orders.sales/line_items/buildIndex/3`. */
export function nameOf({ target, type, instance }: InstanceRef): string {
  return `${target}/${type}/${instance}`;
}
