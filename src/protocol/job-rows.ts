/*
 * The events and transitions of which the jobs of a distributed operation tell. S5.1
 *
 * job-rows.1. Each job is an event on something with a life of its own: an instance's job on one partition. Its attempts are the
 *     transitions of that life.
 */
import type { CancelledJob, JobsRecord, JobState, ToldJob } from './jobs-record.js';
import type { EventRecord, TransitionRecord } from './records.js';
import type { LivingRef } from './refs.js';

type JobRow = EventRecord | TransitionRecord;

/** The events and transitions of which jobs tell. job-rows.1 */
export function rowsOfJobs(record: JobsRecord): readonly JobRow[] {
  const { jobs, cancelled = [] } = record;
  // Each round of a job is a life of its own, whoever has opened it.
  const of = ({ round = 0 }: ToldJob | CancelledJob) => ({ ...record, round: (record.round ?? 0) + round });
  return [...jobs.flatMap((job) => rowsOfJob(of(job), job)), ...cancelled.map((job) => rowOfCancelled(of(job), job))];
}

function rowsOfJob(record: JobsRecord, job: ToldJob): readonly JobRow[] {
  const { partition, took, version = 1, cutOff = 0, end = 'succeeded', restarts = 0, outcome = 'success', error } = job;
  const { from } = record;
  const startedAt = from + job.startedAt;
  const at = startedAt + took;
  const hasEnded = end !== 'waiting';
  const event: EventRecord = {
    ...eventOf(record, { partition, since: job.since ?? job.startedAt, restarts }),
    ...(hasEnded && { endState: end, endHealth: healthOf(end), endVersion: version, endedAt: at }),
    ...(error && { error }),
  };
  const lost = Array.from({ length: cutOff }, (_, place) =>
    attemptOf(record, partition, {
      version: version - cutOff + place,
      startedAt,
      at: startedAt,
      end: 'waiting',
      outcome: 'aborted',
    }),
  );
  // Of one that has ended well, the error is that of others.
  const ownError = outcome === 'success' ? {} : error && { error };
  return [event, ...lost, { ...attemptOf(record, partition, { version, startedAt, at, end, outcome }), ...ownError }];
}

function rowOfCancelled(record: JobsRecord, { partition, version, since, restarts = 0 }: CancelledJob): EventRecord {
  return {
    ...eventOf(record, { partition, since, restarts }),
    ...{ endState: 'cancelled', endHealth: 'normal', endVersion: version, endedAt: record.at },
    endDetails: { canceled: true },
  };
}

function eventOf(
  record: JobsRecord,
  { partition, since, restarts }: { readonly partition: number; readonly since: number; readonly restarts: number },
): EventRecord {
  const { operation, from } = record;
  return {
    ...{ kind: 'event', id: eventIdOf(record, partition), entity: jobRef(record, partition), operation },
    position: `1.${partition + 1}`,
    ...{ event: 'job', eventType: 'raised', startState: 'waiting', startVersion: 0, startedAt: from + since },
    ...{ restarts, dimensions: {} },
  };
}

function attemptOf(
  record: JobsRecord,
  partition: number,
  {
    version,
    startedAt,
    at,
    end,
    outcome,
  }: Pick<TransitionRecord, 'version' | 'startedAt' | 'at' | 'outcome'> & { readonly end: JobState },
): TransitionRecord {
  return {
    ...{ kind: 'transition', entity: jobRef(record, partition), version, operation: record.operation },
    ...{ event: eventIdOf(record, partition), ordinal: version, type: 'AutoAction', action: record.place },
    ...{ startState: 'waiting', startHealth: 'normal', startEnteredAt: startedAt, startedAt, retries: version - 1 },
    ...{ endState: end, endHealth: healthOf(end), at, actionStartedAt: startedAt, outcome },
  };
}

function healthOf(end: JobState): 'normal' | 'error' {
  return end === 'failed' ? 'error' : 'normal';
}

/** `buildIndex/orders.sales/line_items/3/7`: the job of the third instance on partition 7. */
function jobRef({ target, type, instance, life, round = 0 }: JobsRecord, partition: number): LivingRef {
  const again = round === 0 ? '' : `/${round}`;
  return { type, key: `${target}/${instance}/${partition}`, life: `${life}/${partition}${again}` };
}

function eventIdOf({ operation }: JobsRecord, partition: number): string {
  return `${operation}/${partition}`;
}
