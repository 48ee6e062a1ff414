import { membersOf, NO_PARTITIONS, sizeOf } from '../partitions/partition-set.js';
import { blockedIn, type BlockedJobs } from './blocked.js';
import type { CallRetry, Instance } from './instance.js';
import { lanesOf } from './jobs.js';

/** Returns when an instance wants to continue by itself; nothing when it only waits for answers. */
export function nextDue({ phase, retries, lookAt, troubles, pausedAt, calls, now }: Instance): number | undefined {
  if (phase === 'ended') return undefined;
  const works = phase === 'running' && pausedAt === undefined;
  const isAsking = Object.values(calls).some(({ kind }) => kind === 'place');
  const times = [
    ...Object.values(retries).map(({ at }) => at),
    ...(works && !isAsking && lookAt > now ? [lookAt] : []),
    ...(works ? Object.values(troubles).map(({ retryAt }) => retryAt) : []),
  ].filter((time) => time > now);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The most jobs whose trouble is shown. */
const MOST_JOBS = 100;

/** Describes how far an instance is, for people. */
export interface InstanceReading {
  readonly target: string;
  readonly type: string;
  readonly instance: number;
  readonly object?: string;
  /** The request id of its operation. */
  readonly request?: string;
  readonly phase: Instance['phase'];
  readonly outcome?: Instance['outcome'];
  readonly reason?: string;
  readonly paused: boolean;
  /** Shows how long its pauses have taken that are over, in milliseconds. */
  readonly pausedMs: number;
  readonly atOnce: number;
  readonly jobs: {
    readonly all: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly running: number;
  };
  /** The jobs that are tried again, with the attempts and the last error: the first hundred of them. */
  readonly troubles: readonly { readonly partition: number; readonly attempts: number; readonly message?: string }[];
  /** The jobs that have failed, with their reasons: the first hundred of them. */
  readonly failures?: readonly { readonly partition: number; readonly message?: string }[];
  /** The jobs that wait for something else than their turn, as far as the instance knows. */
  readonly blocked?: readonly BlockedJobs[];
  /** The clean-ups, completions and questions that have failed and are made again. */
  readonly retries: readonly Pick<CallRetry, 'kind' | 'place' | 'attempts' | 'message'>[];
  /** Shows which place is given which jobs now. */
  readonly lanes: readonly { readonly number: number; readonly place: string; readonly partitions: string }[];
  readonly startedAt: number;
  readonly endedAt?: number;
}

/** Returns how the operation has ended, as operations are told. S5.1 */
export function operationOutcome(outcome: Instance['outcome'] = 'failed'): 'success' | 'failed' | 'canceled' {
  return OUTCOMES[outcome];
}

const OUTCOMES = { succeeded: 'success', failed: 'failed', cancelled: 'canceled' } as const;

/** The phase for people: a pause is told only while jobs would run otherwise. */
export function stateOf({ paused, phase }: Pick<InstanceReading, 'paused' | 'phase'>): Instance['phase'] | 'paused' {
  return paused && phase === 'running' ? 'paused' : phase;
}

/** Returns what callers see of an operation: its phase, jobs, lanes and troubles. */
export function readInstance(instance: Instance): InstanceReading {
  const { start, phase, outcome, reason, pausedAt, pausedMs, atOnce, succeeded, failed, partitions, troubles } =
    instance;
  const { target, type, object } = start;
  const lanes = lanesOf(instance);
  const blocked = blockedIn(instance);
  return {
    ...{
      target,
      type,
      instance: start.instance,
      phase,
      paused: pausedAt !== undefined,
      pausedMs,
      atOnce,
      startedAt: instance.startedAt,
    },
    ...(object !== undefined && { object }),
    ...(start.request && { request: start.request.id }),
    ...(outcome && { outcome }),
    ...(reason !== undefined && { reason }),
    ...(instance.endedAt !== undefined && { endedAt: instance.endedAt }),
    jobs: {
      ...{ all: sizeOf(partitions), succeeded: sizeOf(succeeded), failed: sizeOf(failed) },
      running: lanes.length,
    },
    troubles: Object.entries(troubles)
      .slice(0, MOST_JOBS)
      .map(([partition, { attempts, message }]) => ({
        ...{ partition: Number(partition), attempts },
        ...(message !== undefined && { message }),
      })),
    ...(failed !== NO_PARTITIONS && { failures: failuresOf(instance) }),
    ...(blocked.length > 0 && { blocked }),
    retries: Object.values(instance.retries).map(({ kind, place, attempts, message }) => ({
      ...{ kind, attempts, message },
      ...(place !== undefined && { place }),
    })),
    lanes: lanes.map(([number, { place, given }]) => ({ number: Number(number), place, partitions: given })),
  };
}

function failuresOf({ failed, results }: Instance): InstanceReading['failures'] {
  return membersOf(failed)
    .slice(0, MOST_JOBS)
    .map((partition) => {
      const { message } = (results[partition] ?? {}) as { readonly message?: string };
      return { partition, ...(message !== undefined && { message }) };
    });
}
