/*
 * Requests of people for one job: another attempt now, or another place. I1, I5
 *
 * job-requests.1. A request that comes again changes nothing, and with other content it is refused. S2.5
 * job-requests.2. A failed job that is retried begins from scratch, in an assignment of its own, and is told to the store as another
 *     job. Until then its operation has not failed. I5, I6
 * job-requests.3. A job that is moved leaves its place as one whose partition has moved does: it is cleaned up there first. It stays at
 *     its new place as long as that may have it. I1, I2
 */
import { fingerprint, shortFingerprint } from '../../protocol/fingerprint.js';
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import { has, union, without } from '../partitions/partition-set.js';
import { eligibleAt } from '../partitions/placement.js';
import { reassigned } from './assignments.js';
import { retryOf } from './call-retries.js';
import type { Instance } from './instance.js';
import { changedAt, lanesOf } from './jobs.js';
import { takenAway } from './moves.js';

/** Names the job of a partition, and the change to it that a person requests. */
export type JobRequest =
  | { readonly kind: 'retry'; readonly partition: number; readonly request: string }
  | { readonly kind: 'move'; readonly partition: number; readonly place: string; readonly request: string };

/** Says why a request is refused. Nothing of it is left. */
export interface JobRefusal {
  readonly code:
    | 'request_conflict'
    | 'ending'
    | 'not_placed'
    | 'unknown_partition'
    | 'unknown_place'
    | 'job_succeeded'
    | 'job_failed'
    | 'job_running'
    | 'job_waiting'
    | 'place_not_eligible'
    | 'already_there';
  readonly message: string;
}

/** Gives why an instance refuses a request; nothing when it accepts it, or has accepted it before. */
export function jobRefusal(
  operation: AnyDistributedOperation,
  instance: Instance,
  asked: JobRequest,
): JobRefusal | undefined {
  const known = recall(instance, asked);
  if (known) return known === 'same' ? undefined : conflict(asked);
  const { phase, outcome, placement, partitions, succeeded } = instance;
  const { partition } = asked;
  const job = `The job of partition ${partition}`;
  if (phase !== 'running') {
    const message = `It ${outcome === 'cancelled' ? 'was canceled' : `has ${outcome ?? 'ended'}`} and runs no jobs any more. Start another operation with 'partitions'.`;
    return { code: 'ending', message };
  }
  if (!placement) return { code: 'not_placed', message: 'It does not know yet where its partitions are. Try again.' };
  if (!has(partitions, partition))
    return { code: 'unknown_partition', message: `It has no job of partition ${partition}, only of ${partitions}.` };
  if (has(succeeded, partition)) return { code: 'job_succeeded', message: `${job} has succeeded.` };
  return asked.kind === 'retry'
    ? retryRefusal(instance, asked, job)
    : moveRefusal(operation, { ...instance, placement }, asked, job);
}

/** Carries out a request. One that is refused, or was carried out before, changes nothing. */
export function requested(operation: AnyDistributedOperation, instance: Instance, asked: JobRequest): Instance {
  if (recall(instance, asked) || jobRefusal(operation, instance, asked)) return instance;
  const remembered = remember(instance, asked);
  return dueNow(
    asked.kind === 'retry' ? reopened(remembered, asked.partition) : moved(remembered, asked),
    asked.partition,
  );
}

function retryRefusal(instance: Instance, { partition }: JobRequest, job: string): JobRefusal | undefined {
  if (has(instance.failed, partition)) return undefined;
  const lane = lanesOf(instance).find(([, { partitions }]) => has(partitions, partition));
  if (lane) return { code: 'job_running', message: `${job} is given to ${lane[1].place}, and runs there.` };
  const isLater = (instance.troubles[partition]?.retryAt ?? 0) > instance.now;
  if (isLater || owing(instance, partition).some((place) => retryOf(instance, { kind: 'clean', place })))
    return undefined;
  return { code: 'job_waiting', message: `${job} waits for its turn, and for no next attempt.` };
}

function moveRefusal(
  operation: AnyDistributedOperation,
  { placement, failed, moved: pins = {}, begun, owed }: Instance & Required<Pick<Instance, 'placement'>>,
  { partition, place }: Extract<JobRequest, { kind: 'move' }>,
  job: string,
): JobRefusal | undefined {
  if (has(failed, partition)) return { code: 'job_failed', message: `${job} has failed. Retry it first.` };
  if (!(place in placement.places)) {
    const places = Object.keys(placement.places).join(', ');
    return { code: 'unknown_place', message: `There is no place '${place}', only: ${places}.` };
  }
  if (!has(eligibleAt(placement, place, operation.on), partition)) {
    const message =
      operation.on === 'primary'
        ? `${job} runs where the primary is, which is not ${place}. Move the partition.`
        : `${place} has no replica of partition ${partition}.`;
    return { code: 'place_not_eligible', message };
  }
  const pinned = Object.keys(pins).find((each) => has(pins[each]!, partition));
  const isHere = has(begun[place] ?? '', partition) && !has(owed[place] ?? '', partition);
  if (pinned === place || isHere) return { code: 'already_there', message: `${job} is at ${place} already.` };
  return undefined;
}

/** job-requests.2 */
function reopened(instance: Instance, partition: number): Instance {
  if (!has(instance.failed, partition)) return instance;
  const number = instance.numbered + 1;
  const { [partition]: result, ...results } = instance.results;
  return {
    ...instance,
    numbered: number,
    failed: without(instance.failed, `${partition}`),
    results,
    resultCharacters: instance.resultCharacters - (result === undefined ? 0 : JSON.stringify(result).length),
    assignments: reassigned(instance, `${number}`, `${partition}`),
    retried: { ...instance.retried, [partition]: (instance.retried?.[partition] ?? 0) + 1 },
  };
}

/** job-requests.3 */
function moved(instance: Instance, { partition, place }: Extract<JobRequest, { kind: 'move' }>): Instance {
  const job = `${partition}`;
  const { moved: before = {} } = instance;
  const others = Object.keys(before).reduce((so, each) => changedAt(so, each, (set) => without(set, job)), before);
  const pinned: Instance = { ...instance, moved: changedAt(others, place, (set) => union(set, job)) };
  return Object.keys(instance.begun)
    .filter((other) => other !== place && has(instance.begun[other]!, partition))
    .reduce((so, other) => takenAway(so, other, job), pinned);
}

/** Neither the job nor a clean-up that it waits for waits for its next attempt any longer. */
function dueNow(instance: Instance, partition: number): Instance {
  const { now } = instance;
  const trouble = instance.troubles[partition];
  const troubles = trouble ? { ...instance.troubles, [partition]: { ...trouble, retryAt: now } } : instance.troubles;
  const places = owing(instance, partition);
  const retries = Object.entries(instance.retries).map(([key, retry]) => {
    const isOf = retry.kind === 'clean' && places.includes(retry.place ?? '');
    return [key, isOf ? { ...retry, at: now } : retry] as const;
  });
  return { ...instance, troubles, retries: Object.fromEntries(retries) };
}

function owing({ owed }: Instance, partition: number): readonly string[] {
  return Object.keys(owed).filter((place) => has(owed[place]!, partition));
}

/** The requests that are remembered: fingerprints of their ids and contents, one after the other. */
const ID_WIDTH = 8;
const WIDTH = 12;
const MOST = 1_000;

function recall({ requests = '' }: Instance, asked: JobRequest): 'same' | 'other' | undefined {
  const id = fingerprint(asked.request);
  for (let at = requests.indexOf(id); at >= 0; at = requests.indexOf(id, at + 1))
    if (at % WIDTH === 0) return requests.slice(at + ID_WIDTH, at + WIDTH) === contentOf(asked) ? 'same' : 'other';
  return undefined;
}

function remember(instance: Instance, asked: JobRequest): Instance {
  const requests = (instance.requests ?? '') + fingerprint(asked.request) + contentOf(asked);
  return { ...instance, requests: requests.slice(-MOST * WIDTH) };
}

function contentOf({ request: _, ...content }: JobRequest): string {
  const { kind, partition } = content;
  return shortFingerprint(JSON.stringify([kind, partition, 'place' in content ? content.place : null]));
}

function conflict({ request }: JobRequest): JobRefusal {
  const message = `The request id '${request}' has been used for another request. Use a new request id.`;
  return { code: 'request_conflict', message };
}
