/*
 * Counts entities by the rows of the store.
 *
 * count-entities.1. Each entity that is not deleted counts once, in the state that it has told last.
 * count-entities.2. Only visible rows count. S6.5
 */
import { sql } from 'kysely';
import type { StoreReader } from '../../store/index.js';
import { readStore } from '../lists/store-problem.js';
import type { Visible } from '../lists/visible.js';
import type { EntityModel } from '../odata/index.js';
import type { EntityCount } from './entity-summary-schema.js';

const ENTITIES: EntityModel = {
  ...{ name: 'entities', table: 'entities', key: ['type', 'key'] },
  ...{ properties: {}, navigation: [] },
};

/** How many entities of each type are in which state and health. @throws ProblemError 503, 504 */
export async function countEntities(reader: StoreReader, { rows }: Visible): Promise<readonly EntityCount[]> {
  const statement = sql<Omit<EntityCount, 'stuck_since'> & { readonly stuck_since: Date | null }>`
    select n.type, n.state, n.health, count(*) as total,
      count(*) filter (where not n.settled) as in_progress,
      count(*) filter (where n.stuck_since is not null) as stuck,
      count(*) filter (where o.request_id is not null) as hung,
      min(n.stuck_since) as stuck_since
    from ${rows(ENTITIES)} as n
    left join (select request_id from operations where outcome = 'hung') as o on o.request_id = n.operation
    where not n.deleted
    group by n.type, n.state, n.health
    order by n.type, n.state, n.health`;
  const found = await readStore('Ask for the entities of one type instead.', () => statement.execute(reader));
  return found.rows.map(({ stuck_since: since, ...row }) => ({ ...row, stuck_since: since?.toISOString() ?? null }));
}
