import { sql } from 'kysely';
import { VIEWS } from '../names.js';
import type { StoreReader } from '../reader.js';

/** How many actions have ended, and how many of them have failed. */
interface Counts {
  readonly ended: number;
  readonly failed: number;
}

/**
 * How the actions have ended since a time: of these entities (`LogicalServer/orders`) from when each was taken over, and of all
 * others. All times are milliseconds since 1970. Q2
 */
export async function countActions(
  reader: StoreReader,
  since: number,
  takenOver: ReadonlyMap<string, number>,
): Promise<{ readonly here: Counts; readonly elsewhere: Counts }> {
  const ids = [...takenOver.keys()];
  const times = [...takenOver.values()].map((at) => new Date(at).toISOString());
  const { rows } = await sql<{ here: boolean; ended: number; failed: number }>`
    select m.id is not null as here, count(*)::integer as ended,
      (count(*) filter (where o.outcome in ('failed', 'exhausted')))::integer as failed
    from ${sql.id(VIEWS, 'action_outcomes')} o
      left join unnest(${ids}::text[], ${times}::timestamptz[]) as m(id, at) on m.id = o.entity and m.at <= o.time
    where o.time >= ${new Date(since).toISOString()}::timestamptz
    group by 1`.execute(reader);
  const of = (here: boolean): Counts => rows.find((row) => row.here === here) ?? { ended: 0, failed: 0 };
  return { here: of(true), elsewhere: of(false) };
}
