import { outcomeOfOnly, type EngagementOutcome } from '../../protocol/outcome.js';
import { endedWithoutWord, type PastRequest, type Recollection } from '../../protocol/past-request.js';
import type { ErrorKind } from '../../protocol/error-record.js';
import type { LivingRef } from '../../protocol/refs.js';
import type { OutcomeDetails, RecordedOutcome } from '../../protocol/records.js';
import type { Health } from '../../definition/state.js';
import { TABLES } from '../names.js';
import { errorOf } from '../rows/error-row.js';
import type { Database } from '../writing/write-rows.js';

/** Finds the events one by one, by their keys. What was only offered may never have happened, so only kept rows count. */
const REQUESTS = `select asked.place::integer, e.event, e.fingerprint, e.operation, e.life, e.start_state, e.start_version, e.end_state,
    e.end_health, e.end_version, e.end_details, e.started_at, e.ended_at,
    o.outcome as operation_outcome, o.ended_at is null as operation_runs,
    r.kind as error_kind, coalesce(o.error_text, r.details) as error_details
  from unnest($3::text[]) with ordinality as asked(id, place)
    join ${TABLES}.events e on e.id = asked.id
    left join ${TABLES}.operations o on o.request_id = e.id and e.operation = e.id
    left join ${TABLES}.errors r on r.error_id = o.error_id
  where e.type = $1 and e.key = $2 and e.kept and e.fingerprint is not null
  order by e.started_at`;

/** The life in which the first event of a key came. */
const FIRST_LIFE = `select e.life from ${TABLES}.events e
  where e.key = $2 and e.type = $1 and e.kept order by e.event_id limit 1`;

interface Row {
  /** The place of its id among those that were asked for, from 1. */
  readonly place: number;
  readonly event: string;
  readonly fingerprint: string;
  readonly operation: string;
  readonly life: string;
  readonly start_state: string;
  readonly start_version: number;
  readonly end_state: string | null;
  readonly end_health: Health | null;
  readonly end_version: number | null;
  readonly end_details: OutcomeDetails | null;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  /** The outcome of the operation that the request has opened, if it has opened one. */
  readonly operation_outcome: RecordedOutcome | null;
  readonly operation_runs: boolean;
  readonly error_kind: ErrorKind | null;
  readonly error_details: string | null;
}

/**
 * Which of these requests were accepted on an entity, in any of its lives, and how they ended. S2.5
 * @throws when the database is unavailable
 */
export async function recallRequests(
  database: Database,
  { type, key, life }: LivingRef,
  ids: readonly string[],
): Promise<Recollection> {
  // The ids are asked for as they were written: PostgreSQL's texts have no character 0.
  const asked = ids.map((id) => id.replaceAll('\u0000', '\ufffd'));
  const { rows } = await database.query({ name: 'requests', text: REQUESTS, values: [type, key, asked] });
  const first = await database.query({ name: 'first life', text: FIRST_LIFE, values: [type, key] });
  const earlier = (first.rows as readonly Pick<Row, 'life'>[]).some((row) => row.life !== life);
  const requests = (rows as readonly Row[]).map((row) => pastRequestOf(ids[row.place - 1]!, row));
  return { requests, earlierLives: earlier };
}

function pastRequestOf(id: string, row: Row): PastRequest {
  const { event, fingerprint, operation, life, started_at, ended_at } = row;
  const times = { startedAt: started_at.getTime(), endedAt: (ended_at ?? started_at).getTime() };
  const followed = row.operation_outcome !== null && row.operation_runs;
  const outcome = withOperation(outcomeOf(row), row);
  return { ...{ id, event, fingerprint, operation, life, outcome }, ...times, ...(followed && { followed }) };
}

function outcomeOf(row: Row): EngagementOutcome {
  const { start_state, start_version, end_state, end_health, end_version, end_details } = row;
  if (end_state === null) return endedWithoutWord(start_state, start_version);
  const version = end_version ?? start_version;
  return { ...{ state: end_state, version, health: end_health ?? 'normal', waiting: false }, ...end_details };
}

/** The outcome with that of the operation. Who has opened an operation learns how it ended on other entities too. */
function withOperation(outcome: EngagementOutcome, row: Row): EngagementOutcome {
  const { operation_outcome, error_kind, error_details } = row;
  if (operation_outcome === outcomeOfOnly(outcome)) return outcome;
  if (operation_outcome === 'canceled') return { ...outcome, canceled: true };
  if (operation_outcome !== 'failed' || error_kind === null || error_details === null) return outcome;
  return { ...outcome, error: errorOf(error_kind, error_details) };
}
