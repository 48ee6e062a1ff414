/*
 * Decides what an instance does next by itself.
 *
 * phases.1. It leaves the running phase when all jobs have ended, a job has failed, or it is cancelled. Then no job begins, and its
 *     outcome stays. I5
 * phases.2. Before its completion runs, no lane is under way, and every place that was given a job was tidied up. I5, I6
 * phases.3. It ends only when the coordinator has heard what it starts. I6
 */
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import { common, NO_PARTITIONS, without } from '../partitions/partition-set.js';
import { waitsToRetry } from './call-retries.js';
import { giveJobs } from './giving.js';
import type { Instance, PendingCall } from './instance.js';
import { inLanesAt, isPending, lanesOf, openJobs } from './jobs.js';

export function goOn(operation: AnyDistributedOperation, before: Instance): Instance {
  let instance = before;
  for (;;) {
    const next = once(operation, instance);
    if (next === instance) return instance;
    instance = next;
  }
}

function once(operation: AnyDistributedOperation, instance: Instance): Instance {
  switch (instance.phase) {
    case 'running':
      return running(operation, instance);
    case 'stopping':
      return isQuiet(instance) ? { ...instance, phase: 'tidying' } : instance;
    case 'tidying':
      return tidying(instance);
    case 'completing':
      return called(instance, { kind: 'complete' });
    case 'leaving':
      return called(instance, { kind: 'leave' });
    case 'ended':
      return instance;
  }
}

function running(operation: AnyDistributedOperation, instance: Instance): Instance {
  const { failed, placement, lookAt, pausedAt, now } = instance;
  if (failed !== NO_PARTITIONS && operation.whenOneFails !== 'finish')
    return { ...instance, phase: 'stopping', outcome: 'failed', reason: failureReason(instance) };
  // Nothing begins while it is paused, for as long as that may last.
  if (lookAt <= now && pausedAt === undefined && !isPending(instance, 'place')) {
    const asked = called(instance, { kind: 'place' });
    if (asked !== instance) return asked;
  }
  if (!placement) return instance;
  if (openJobs(instance) === NO_PARTITIONS) {
    if (!isQuiet(instance)) return instance;
    return failed === NO_PARTITIONS
      ? { ...instance, phase: 'tidying', outcome: 'succeeded' }
      : { ...instance, phase: 'tidying', outcome: 'failed', reason: failureReason(instance) };
  }
  return giveJobs(operation, cleaning(instance));
}

/** Cleans up what is owed, as soon as no lane is at it any more. moves.3 */
function cleaning(before: Instance): Instance {
  let instance = before;
  for (const [place, owed] of Object.entries(before.owed)) {
    if (isPending(instance, 'clean', place)) continue;
    const partitions = without(owed, inLanesAt(instance, place));
    if (partitions !== NO_PARTITIONS) instance = called(instance, { kind: 'clean', place, partitions });
  }
  return instance;
}

/** phases.2 */
function tidying(instance: Instance): Instance {
  const left = instance.places.filter((place) => !instance.tidied.includes(place));
  if (left.length === 0) return { ...instance, phase: 'completing' };
  return left
    .filter((place) => !isPending(instance, 'tidy', place))
    .reduce((so, place) => called(so, { kind: 'tidy', place }), instance);
}

/** Makes a call, unless it is under way or waits for its next try. */
function called(instance: Instance, call: PendingCall): Instance {
  if (isPending(instance, call.kind, call.place)) return instance;
  if (waitsToRetry(instance, call)) return instance;
  const number = instance.numbered + 1;
  return { ...instance, numbered: number, calls: { ...instance.calls, [number]: call } };
}

function isQuiet(instance: Instance): boolean {
  return lanesOf(instance).length === 0 && Object.keys(instance.calls).length === 0;
}

function failureReason({ failed, results }: Instance): string {
  const [first] = Object.keys(results).filter((partition) => common(failed, partition) !== NO_PARTITIONS);
  const { message = '' } = (first === undefined ? {} : results[first]) as { readonly message?: string };
  return `the job of partition ${first} has failed: ${message}`;
}
