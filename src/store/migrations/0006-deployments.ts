import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/** Trees of components that run on their own, and what each consists of. W1 */
const STATEMENTS = [
  `create table deployments (
    life text primary key,
    name text not null,
    component text not null,
    tenant text,
    subject text,
    request_id text,
    detached_from text,
    started_at timestamptz not null,
    phase text not null,
    since timestamptz not null,
    stage smallint not null,
    end_type text,
    end_description text,
    end_component text,
    ended_at timestamptz,
    at timestamptz not null,
    kept boolean not null,
    written_at timestamptz not null default now()
  )`,
  'create index deployments_by_start on deployments (started_at, life)',
  'create index deployments_by_name on deployments (name, started_at)',
  'create index deployments_by_component on deployments (component, started_at)',
  'create index deployments_by_tenant on deployments (tenant, started_at) where tenant is not null',
  'create index deployments_by_running on deployments (started_at) where ended_at is null',
  `create table components (
    life text not null,
    incarnation integer not null,
    path text not null,
    kind text not null,
    phase text not null,
    stage smallint not null,
    created_at timestamptz,
    deployed_at timestamptz,
    starting_at timestamptz,
    up_at timestamptz,
    ending_at timestamptz,
    ended_at timestamptz,
    detached_at timestamptz,
    end_type text,
    end_description text,
    end_component text,
    at timestamptz not null,
    kept boolean not null,
    primary key (life, incarnation)
  )`,
];

export const deployments: Migration = {
  async up(db) {
    await sql`set local search_path = ${sql.id(TABLES)}`.execute(db);
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    await sql`set local search_path to default`.execute(db);
  },
};
