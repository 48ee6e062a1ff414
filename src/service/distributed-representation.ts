import { z } from '@hono/zod-openapi';
import { withLanes, type DistributedReading, type ListedInstance } from '../client/distributed.js';
import { nameOf, stateOf, type InstanceReading } from '../distributed/index.js';
import type { DistributedRow } from '../store/index.js';
import { time } from './live-schema.js';
import { executionSchema, isoTime } from './operation-representation.js';

const whole = z.number().int();
const named = {
  name: z.string().openapi({ example: 'orders.sales/line_items/buildIndex/3' }),
  target: z.string(),
  type: z.string(),
  instance: whole.openapi({ description: 'A number that grows with each operation of the target and type.' }),
};
const state = z.string().openapi({
  description: '`running`, `paused`, `stopping`, `tidying`, `completing`, `leaving` or `ended`.',
});

/** The schema of a distributed operation as it is read. I1 to I8 */
export const distributedSchema = z
  .object({
    ...named,
    object: z
      .string()
      .nullable()
      .openapi({ description: 'The object on which it works, if several may run on one target.' }),
    request_id: z.string().nullable().openapi({ description: 'The id of its operation.' }),
    state,
    outcome: z.string().nullable().openapi({ description: 'The outcome: `succeeded`, `failed` or `cancelled`.' }),
    reason: z.string().nullable(),
    paused_ms: whole.openapi({ description: 'The length of all past pauses, in milliseconds.' }),
    at_once: whole.openapi({ description: 'The limit of jobs that run in parallel.' }),
    jobs: z.object({ all: whole, succeeded: whole, failed: whole, running: whole }),
    done: z.number().min(0).max(1).openapi({ description: 'The part of the work that is done.' }),
    estimated_end_time: time
      .nullable()
      .openapi({ description: 'The estimated end, by its recent progress. `null` while it is paused or blocked.' }),
    lanes: z.array(
      z.looseObject({
        number: whole,
        place: z.string(),
        partitions: z.string().openapi({ example: '0-99,120' }),
        ended: whole.optional().openapi({ description: 'The number of these jobs that have ended.' }),
        partition: whole.optional().openapi({ description: 'The current job.' }),
        progress: z.unknown().optional(),
      }),
    ),
    troubles: z.array(z.object({ partition: whole, attempts: whole, message: z.string().optional() })).openapi({
      description: 'The jobs that are retried: the first hundred. One without an attempt has postponed itself.',
    }),
    failures: z
      .array(z.object({ partition: whole, message: z.string().optional() }))
      .openapi({ description: 'The jobs that have failed: the first hundred.' }),
    blocked: z
      .array(
        z.object({
          kind: z.enum(['executor', 'lock', 'clean_up', 'no_place']),
          partitions: z.string().openapi({ example: '0-99,120' }),
          place: z.string().nullable(),
          message: z.string(),
          since_time: time.nullable(),
          pids: z.array(whole).openapi({ description: 'The processes that hold the lock.' }),
        }),
      )
      .openapi({
        description:
          'The jobs that wait for something else than their turn: their place has no executor that answers (`executor`), others hold a ' +
          'lock that they need (`lock`), they have to be cleaned up where they were (`clean_up`), or no place holds their partitions.',
      }),
    retries: z
      .array(
        z.object({
          call: z.enum(['clean', 'tidy', 'place', 'complete', 'leave']),
          place: z.string().nullable(),
          attempts: whole,
          message: z.string(),
        }),
      )
      .openapi({
        description:
          'The failing steps beside the jobs, which are retried: the clean-up of a job that moved (`clean`), that of a place before ' +
          'the completion (`tidy`), the query for the placement, the completion, and the end.',
      }),
    start_time: time,
    end_time: time.nullable(),
    reported_time: time.openapi({ description: 'The time of this report.' }),
    stale: z.boolean().openapi({
      description: '`true` if this is from the store, because no worker answers or Temporal no longer has it.',
    }),
    '@reeve.execution': executionSchema,
  })
  .openapi('DistributedOperation');

/** The schema of one that is listed. */
export const listedDistributedSchema = z
  .object({ ...named, state: state.nullable(), outcome: z.string().nullable(), start_time: time })
  .openapi('ListedDistributedOperation');

export type DistributedRepresentation = Omit<z.output<typeof distributedSchema>, '@reeve.execution'>;

/** A distributed operation for those outside. `now` is in milliseconds since 1970. */
export function representDistributed(reading: DistributedReading, now: number): DistributedRepresentation {
  const { target, type, instance, object = null, outcome = null, reason = null, jobs, done } = reading;
  const { estimatedEnd, endedAt, request = null, failures = [], blocked = [] } = reading;
  return {
    ...{ name: nameOf(reading), target, type, instance, object, request_id: request, outcome, reason },
    ...{ state: stateOf(reading), paused_ms: reading.pausedMs, at_once: reading.atOnce, jobs: { ...jobs }, done },
    estimated_end_time: estimatedEnd === undefined ? null : isoTime(estimatedEnd),
    lanes: reading.lanes.map((lane) => ({ ...lane })),
    troubles: reading.troubles.map((trouble) => ({ ...trouble })),
    failures: failures.map((failure) => ({ ...failure })),
    blocked: blocked.map(({ since, pids = [], place = null, ...jobs }) => ({
      ...{ ...jobs, place, pids: [...pids] },
      since_time: since === undefined ? null : isoTime(since),
    })),
    retries: reading.retries.map(({ kind, place = null, ...retry }) => ({ call: kind, place, ...retry })),
    start_time: isoTime(reading.startedAt),
    end_time: endedAt === undefined ? null : isoTime(endedAt),
    reported_time: isoTime(now),
    stale: false,
  };
}

/** One as it last told the store. S5.2 */
export function representStoredDistributed({ reading, reported_time }: DistributedRow): DistributedRepresentation {
  const told = withLanes(reading as InstanceReading, []);
  return { ...representDistributed(told, reported_time.getTime()), stale: true };
}

export function listedOf({ name, target, type, instance, state, outcome, start_time }: DistributedRow): ListedInstance {
  return { name, target, type, instance, state, outcome: outcome ?? undefined, startedAt: start_time };
}

export function representListed({ startedAt, state, outcome, ...named }: ListedInstance) {
  const { name, target, type, instance } = named;
  const known = { state: state ?? null, outcome: outcome ?? null };
  return { name, target, type, instance, ...known, start_time: isoTime(startedAt.getTime()) };
}
