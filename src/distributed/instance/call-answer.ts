/*
 * The outcome of the calls beside the lanes.
 *
 * call-answer.1. A place that does not answer a clean-up holds nobody up: it is fenced by its numbers, and its executor cleans up when it
 *     looks at what it has, or gets the job again. I2
 * call-answer.2. A completion that throws is run again. Its effect is taken once, by the coordinator. I6
 */
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import type { CompletionResult } from '../declaration/implementation.js';
import { common, NO_PARTITIONS, union, without } from '../partitions/partition-set.js';
import { reassigned } from './assignments.js';
import { failedOnce, isCleanUp, retryOf, withoutRetry } from './call-retries.js';
import type { CallOutcome } from './input.js';
import type { Instance, PendingCall } from './instance.js';
import { changedAt } from './jobs.js';
import { placed } from './moves.js';
import { notHere } from './telling.js';

/** How often the target is asked who holds what, besides when it says that this has changed. */
const LOOK_EVERY_MS = 10_000;

export function callAnswered(
  operation: AnyDistributedOperation,
  before: Instance,
  number: string,
  outcome: CallOutcome,
): Instance {
  const { [number]: call, ...calls } = before.calls;
  if (!call) return before;
  const answered: Instance = { ...before, calls };
  const calm = withoutRetry(answered, call);
  switch (outcome.kind) {
    case 'done':
      return done(calm, number, call);
    case 'placement':
      return placementTold(operation, calm, outcome.placement);
    case 'completed':
      return completed(calm, number, outcome.result);
    case 'lost':
      return isCleanUp(call) ? done(calm, number, call) : failedOnce(answered, call, 'there was no answer');
    case 'error':
      return retryOf(answered, call)?.last ? done(calm, number, call) : failedOnce(answered, call, outcome.message);
    case 'lane':
      return before;
  }
}

function done(
  instance: Instance,
  number: string,
  { kind, place = '', partitions = NO_PARTITIONS }: PendingCall,
): Instance {
  switch (kind) {
    case 'clean':
      return {
        ...instance,
        owed: changedAt(instance.owed, place, (owed) => without(owed, partitions)),
        begun: changedAt(instance.begun, place, (begun) => without(begun, partitions)),
        assignments: reassigned(instance, number, partitions),
        tried: notHere(instance.tried, partitions),
      };
    case 'tidy':
      return {
        ...instance,
        tidied: [...instance.tidied, place],
        begun: changedAt(instance.begun, place, () => NO_PARTITIONS),
        owed: changedAt(instance.owed, place, () => NO_PARTITIONS),
      };
    case 'leave':
      return { ...instance, phase: 'ended', endedAt: instance.now };
    case 'place':
    case 'complete':
      return instance;
  }
}

function placementTold(
  operation: AnyDistributedOperation,
  instance: Instance,
  placement: Parameters<typeof placed>[2] | undefined,
): Instance {
  const looked = { ...instance, lookAt: instance.now + LOOK_EVERY_MS };
  if (placement) return placed(operation, looked, placement);
  if (instance.phase !== 'running') return looked;
  return { ...looked, phase: 'stopping', outcome: 'failed', reason: `${instance.start.target} is not there any more` };
}

function completed(
  instance: Instance,
  number: string,
  { starts = [], reopen = NO_PARTITIONS, failed }: CompletionResult,
): Instance {
  const again = common(reopen, instance.succeeded);
  if (instance.outcome === 'succeeded' && again !== NO_PARTITIONS) {
    const { outcome: _, ...reopened } = instance;
    const succeeded = without(instance.succeeded, again);
    const places = Object.keys(instance.succeededAt);
    const succeededAt = places.reduce(
      (so, place) => changedAt(so, place, (set) => without(set, again)),
      instance.succeededAt,
    );
    return {
      ...reopened,
      phase: 'running',
      succeeded,
      succeededAt,
      reopened: union(instance.reopened, again),
      rounds: instance.rounds + 1,
      assignments: reassigned(instance, number, again),
      tidied: [],
      lookAt: instance.now,
    };
  }
  const failure = failed !== undefined && instance.outcome !== 'cancelled' ? { outcome: 'failed', reason: failed } : {};
  return { ...instance, ...(failure as Pick<Instance, 'outcome' | 'reason'>), phase: 'leaving', starts };
}
