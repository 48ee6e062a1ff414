import type pg from 'pg';
import { TABLES } from './names.js';

/** Transitions of one life of an entity that are missing in the store. */
export interface Gap {
  /** `LogicalServer/orders` */
  readonly entity: string;
  readonly life: string;
  /** The number of transitions that are missing. */
  readonly missing: number;
  /** The last version that the store has. */
  readonly version: number;
}

const GAPS = `
  select coalesce((select e.type || '/' || e.key from ${TABLES}.events e where e.life = t.life limit 1), '?') as entity,
    t.life, (max(t.version) - count(*))::float8 as missing, max(t.version) as version
  from ${TABLES}.transitions t
  where t.version > 0
  group by t.life
  having count(*) < max(t.version)
  order by entity, t.life`;

/** Finds missing transitions. They show because versions grow by one. S3.7 */
export async function findGaps(pool: pg.Pool): Promise<readonly Gap[]> {
  const { rows } = await pool.query<Gap>(GAPS);
  return rows;
}
