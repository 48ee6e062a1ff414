import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/*
 * The tables of S5.1. Each row has the natural key by which entities and operations name it. Operations and events also have
 * a surrogate, a number in start order. `kept` tells what is certain from what was only offered. No index has it, and the pages
 * of events have room, so that marking an event as kept touches no index. An event is also found by its id alone, which is the
 * id of its request, since entities ask for requests that they have forgotten.
 */
const STATEMENTS = [
  `create table operations (
    request_id text primary key,
    operation_id bigint not null unique,
    name text not null,
    started_at timestamptz not null,
    answered_at timestamptz not null,
    ended_at timestamptz,
    outcome text,
    stage smallint not null,
    error_id bigint,
    restarts integer not null,
    dimensions jsonb not null,
    kept boolean not null
  )`,
  'create index operations_by_start on operations (started_at, operation_id)',
  'create index operations_by_end on operations (ended_at, operation_id)',
  'create index operations_by_outcome on operations (outcome, operation_id)',
  'create index operations_by_name on operations (name, operation_id)',
  'create index operations_by_error on operations (error_id, operation_id) where error_id is not null',
  `create table events (
    life text not null,
    id text not null,
    event_id bigint not null unique,
    operation text not null,
    position text not null,
    type text not null,
    key text not null,
    event text not null,
    event_type text not null,
    start_state text not null,
    start_version integer not null,
    started_at timestamptz not null,
    end_state text,
    end_health text,
    ended_at timestamptz,
    ended boolean not null,
    fingerprint text,
    end_version integer,
    end_details jsonb,
    result text,
    error_id bigint,
    exception text,
    restarts integer not null,
    dimensions jsonb not null,
    kept boolean not null,
    primary key (id, life)
  ) with (fillfactor = 50)`,
  'create index events_by_version on events (life, start_version)',
  'create index events_by_operation on events (operation)',
  'create index events_by_start on events (started_at, event_id)',
  'create index events_by_end on events (ended_at, event_id)',
  'create index events_by_event on events (type, event, event_id)',
  'create index events_by_key on events (key, event_id)',
  'create index events_by_end_state on events (end_state, event_id)',
  'create index events_by_error on events (error_id, event_id) where error_id is not null',
  'create index events_by_exception on events (event_id) where exception is not null',
  "create index events_by_end_health on events (event_id) where end_health = 'error'",
  `create table transitions (
    life text not null,
    version integer not null,
    operation text not null,
    event text not null,
    ordinal integer not null,
    type text not null,
    action text,
    start_state text not null,
    start_health text not null,
    start_entered_at timestamptz not null,
    started_at timestamptz not null,
    retries integer not null,
    end_state text not null,
    end_health text not null,
    at timestamptz not null,
    action_started_at timestamptz,
    outcome text not null,
    error_id bigint,
    exception_id bigint,
    exception text,
    tenant text,
    primary key (life, version)
  )`,
  // Only the key begins with the life: see ../writing/lacking.ts.
  'create index transitions_by_event on transitions (event, life, ordinal)',
  'create index transitions_by_time on transitions (at)',
  'create index transitions_by_end_state on transitions (end_state, at)',
  'create index transitions_by_action on transitions (action, at)',
  'create index transitions_by_outcome on transitions (outcome, at)',
  'create index transitions_by_tenant on transitions (tenant, at) where tenant is not null',
  'create index transitions_by_error on transitions (error_id, at) where error_id is not null',
  'create index transitions_by_exception on transitions (exception_id) where exception_id is not null',
  `create table entities (
    type text not null,
    key text not null,
    life text not null,
    born_at timestamptz not null,
    version integer not null,
    state text not null,
    health text not null,
    settled boolean not null,
    stuck_since timestamptz,
    deleted boolean not null,
    entered_at timestamptz not null,
    operation text,
    properties jsonb not null,
    links jsonb not null,
    subordinates jsonb not null,
    dimensions jsonb not null,
    at timestamptz not null,
    written_at timestamptz not null default now(),
    primary key (type, key)
  )`,
  'create index entities_by_state on entities (state, type, key)',
  'create index entities_by_entry on entities (entered_at, type, key)',
  "create index entities_by_error on entities (type, key) where health = 'error'",
  'create index entities_by_unsettled on entities (type, key) where not settled',
  'create index entities_by_stuck on entities (stuck_since, type, key) where stuck_since is not null',
  'create index entities_by_operation on entities (operation) where operation is not null',
  'create index entities_by_properties on entities using gin (properties jsonb_path_ops)',
  `create table errors (
    error_id bigint primary key,
    details text not null,
    kind text not null
  )`,
  `create table lives (
    life text primary key,
    version integer not null,
    at timestamptz not null
  )`,
  `create table first_responses (
    request_id text primary key,
    at timestamptz not null
  )`,
  `create table audit_entries (
    id uuid primary key,
    at timestamptz not null,
    subject text not null,
    tenant text,
    roles text[] not null,
    action text not null,
    entity_type text,
    entity_key text,
    operation text,
    request_id text,
    decision text not null,
    reason text,
    remote_address text
  )`,
  'create index audit_entries_by_time on audit_entries (at, id)',
  'create index audit_entries_by_subject on audit_entries (subject, at, id)',
  'create index audit_entries_by_entity on audit_entries (entity_type, entity_key, at, id)',
  'create index audit_entries_by_request on audit_entries (request_id)',
  `create table rejected_events (
    id uuid primary key,
    at timestamptz not null,
    last_at timestamptz not null,
    times integer not null,
    type text not null,
    key text not null,
    event text not null,
    request_id text,
    state text,
    code text not null,
    message text not null,
    subject text,
    tenant text
  )`,
  'create index rejected_events_by_time on rejected_events (at, id)',
  'create index rejected_events_by_entity on rejected_events (type, key, at, id)',
  'create index rejected_events_by_tenant on rejected_events (tenant, at, id)',
];

export const tables: Migration = {
  async up(db) {
    await sql`set local search_path = ${sql.id(TABLES)}`.execute(db);
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    await sql`set local search_path to default`.execute(db);
  },
};
