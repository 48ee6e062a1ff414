import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/* The feed of changes, by the laws of ../feed/append-changes.ts. A6 */
const STATEMENTS = [
  // The one row is the lock, too. `trimmed` is the last position that was deleted.
  `create table feed (
    id boolean primary key default true check (id),
    position bigint not null,
    trimmed bigint not null
  )`,
  'insert into feed (position, trimmed) values (0, 0)',
  `create table changes (
    position bigint primary key,
    life text not null,
    version integer not null,
    type text not null,
    key text not null,
    tenant text,
    at timestamptz not null
  )`,
  `create table fed_lives (
    life text primary key,
    type text not null,
    key text not null,
    version integer not null
  )`,
  `create table fed_ahead (
    life text not null,
    first integer not null,
    last integer not null,
    primary key (life, first)
  )`,
  `create table feed_listeners (
    name text primary key,
    position bigint not null,
    seen_at timestamptz not null
  )`,
  // In a function, each statement sees what was committed before it, so also what was fed while it waited for the lock.
  `create function append_changes(certain json) returns void language plpgsql as $function$
  declare
    head bigint;
    told record;
    fed fed_lives;
    upto integer;
  begin
    select position into head from feed for update;
    if not found then
      -- Somebody has emptied the tables.
      insert into feed (position, trimmed) select coalesce(max(position), 0), 0 from changes on conflict do nothing;
      select position into head from feed for update;
    end if;
    for told in
      select r.* from json_to_recordset(certain) as r(life text, first integer, last integer) order by r.life, r.first
    loop
      select * into fed from fed_lives where life = told.life;
      if not found then
        insert into fed_lives select e.life, e.type, e.key, 0 from events e where e.life = told.life limit 1
          returning * into fed;
      end if;
      -- Without an event, nobody knows yet of which entity it is.
      if fed.version is null or told.first > fed.version + 1 then
        insert into fed_ahead as ahead values (told.life, told.first, told.last)
          on conflict (life, first) do update set last = greatest(ahead.last, excluded.last);
        continue;
      end if;
      upto := told.last;
      while upto > fed.version loop
        insert into changes (position, life, version, type, key, tenant, at)
          select head + row_number() over (order by n.version), told.life, n.version, fed.type, fed.key, t.tenant, clock_timestamp()
          from generate_series(fed.version + 1, upto) as n(version)
          left join transitions t on t.life = told.life and t.version = n.version;
        head := head + upto - fed.version;
        fed.version := upto;
        with joined as (delete from fed_ahead where life = told.life and first <= fed.version + 1 returning last)
          select coalesce(max(last), 0) into upto from joined;
      end loop;
      update fed_lives set version = fed.version where life = told.life and version < fed.version;
    end loop;
    update feed set position = head where position < head;
  end $function$ set search_path = SCHEMA`,
];

export const feed: Migration = {
  async up(db) {
    await sql`set local search_path = ${sql.id(TABLES)}`.execute(db);
    for (const statement of STATEMENTS) await sql.raw(statement.replace('SCHEMA', TABLES)).execute(db);
    await sql`set local search_path to default`.execute(db);
  },
};
