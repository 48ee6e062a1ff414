import { sql, type Migration } from 'kysely';
import { TABLES } from '../names.js';

/* The waits of entities, in their rows and in the feed, by the laws of ../feed/append-changes.ts. A6 */
const STATEMENTS = [
  'alter table entities add column waits jsonb',
  // A change with waits is no transition.
  'alter table changes add column waits jsonb',
  // The waits that are certain by now, with their version and time; and what listeners were told since the last transition.
  `alter table fed_lives
    add column waits jsonb,
    add column waits_version integer,
    add column waits_at timestamptz,
    add column waits_told jsonb`,
  'drop function append_changes(json)',
  // In a function, each statement sees what was committed before it, so also what was fed while it waited for the lock.
  `create function append_changes(certain json, waiting json default '[]') returns void language plpgsql as $function$
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
          select head + row_number() over (order by n.version), told.life, n.version, fed.type, fed.key,
            -- One by one, since a join reads the whole life.
            (select t.tenant from transitions t where t.life = told.life and t.version = n.version), clock_timestamp()
          from generate_series(fed.version + 1, upto) as n(version);
        head := head + upto - fed.version;
        fed.version := upto;
        with joined as (delete from fed_ahead where life = told.life and first <= fed.version + 1 returning last)
          select coalesce(max(last), 0) into upto from joined;
      end loop;
      update fed_lives set version = fed.version, waits_told = null where life = told.life and version < fed.version;
    end loop;
    for told in
      select r.* from json_to_recordset(waiting) as r(life text, version integer, waits jsonb, at float8) order by r.life, r.at
    loop
      update fed_lives set waits = told.waits, waits_version = told.version, waits_at = to_timestamp(told.at / 1000)
        where life = told.life and (waits_at is null or waits_at < to_timestamp(told.at / 1000))
          and (waits is not null or told.waits <> '[]');
    end loop;
    for fed in
      select l.* from fed_lives l
        where l.life in (
            select c.life from json_to_recordset(certain) as c(life text)
            union select w.life from json_to_recordset(waiting) as w(life text)
          )
          and l.waits_version = l.version and l.waits <> coalesce(l.waits_told, '[]')
        order by l.life
    loop
      head := head + 1;
      insert into changes (position, life, version, type, key, tenant, at, waits)
        select head, fed.life, fed.version, fed.type, fed.key,
          (select t.tenant from transitions t where t.life = fed.life and t.version = fed.version), clock_timestamp(), fed.waits;
      update fed_lives set waits_told = fed.waits where life = fed.life;
    end loop;
    update feed set position = head where position < head;
  end $function$ set search_path = SCHEMA`,
];

export const waits: Migration = {
  async up(db) {
    await sql`set local search_path = ${sql.id(TABLES)}`.execute(db);
    for (const statement of STATEMENTS) await sql.raw(statement.replace('SCHEMA', TABLES)).execute(db);
    await sql`set local search_path to default`.execute(db);
  },
};
