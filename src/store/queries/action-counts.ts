import { sql, type RawBuilder } from 'kysely';
import { VIEWS } from '../names.js';
import type { StoreReader } from '../reader.js';

/** How many actions have ended, and how many of them have failed. */
interface Counts {
  readonly ended: number;
  readonly failed: number;
}

/**
 * How each action (`LogicalServer.createResources`) has ended in a span of time: of these entities (`LogicalServer/orders`) from when
 * each was taken over, and of all others. All times are milliseconds since 1970. Q2
 */
export async function countActions(
  reader: StoreReader,
  { since, until }: { readonly since: number; readonly until?: number },
  takenOver: ReadonlyMap<string, number>,
): Promise<readonly { readonly action: string; readonly here: Counts; readonly elsewhere: Counts }[]> {
  const ids = [...takenOver.keys()];
  const times = [...takenOver.values()].map((at) => new Date(at).toISOString());
  const { rows } = await sql<{ action: string; here: Counts; elsewhere: Counts }>`
    select o.action, ${counts(sql`m.id is not null`)} as here, ${counts(sql`m.id is null`)} as elsewhere
    from ${sql.id(VIEWS, 'action_outcomes')} o
      left join unnest(${ids}::text[], ${times}::timestamptz[]) as m(id, at) on m.id = o.entity and m.at <= o.time
    where o.time >= ${new Date(since).toISOString()}::timestamptz and o.action is not null
      ${until === undefined ? sql`` : sql`and o.time < ${new Date(until).toISOString()}::timestamptz`}
    group by 1`.execute(reader);
  return rows;
}

function counts(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`json_build_object(
    'ended', count(*) filter (where ${which}),
    'failed', count(*) filter (where ${which} and o.outcome in ('failed', 'exhausted')))`;
}
