import { sql } from 'kysely';
import { ENDLESS_CODE } from '../../protocol/names.js';
import { VIEWS } from '../names.js';
import type { Store } from '../store.js';

/** An action whose code did not end. */
export interface EndlessAction {
  readonly type: string;
  readonly key: string;
  readonly action: string;
  readonly message: string;
}

/** The entities whose last action did not end, and which have not gone on since; the latest first. */
export async function readEndlessCode(
  { reader }: Pick<Store, 'reader'>,
  most: number,
): Promise<readonly EndlessAction[]> {
  const views = sql.raw(VIEWS);
  const { rows } = await sql<EndlessAction>`
    select e.type, e.key, t.action_name as action, substr(x.error_details, ${ENDLESS_CODE.length + 3}::int) as message
    from ${views}.entities e
    join ${views}.state_machine_transitions_owned t on t.life = e.life and t.version = e.version
    join ${views}.workflow_errors x on x.error_id = t.error_id
    where (e.health = 'error' or e.stuck_since is not null) and x.error_kind = 'defect' and x.error_details like ${`${ENDLESS_CODE}: %`}
    order by e.reported_time desc
    limit ${most}
  `.execute(reader);
  return rows;
}
