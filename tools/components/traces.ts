import { createPool } from '../../src/store/pool.js';
import { TABLES } from '../../src/store/names.js';
import { setTimeout as delay } from 'node:timers/promises';

const WITHIN_MS = 60_000;

/**
 * Tells the fate of each component of a deployment, by its rows, without the times. Waits until all of it is kept. A parallel that has
 * ended normally has the record of the child that ended last, which depends on how long each took.
 */
export async function componentTraces(url: string, deployment: string): Promise<readonly string[]> {
  const pool = createPool({ url, connections: 1, name: 'traces' });
  try {
    const kept = async () => {
      const text = `select from ${TABLES}.deployments where name = $1 and kept and ended_at is not null`;
      return ((await pool.query(text, [deployment])).rowCount ?? 0) > 0;
    };
    for (const until = Date.now() + WITHIN_MS; !(await kept()) && Date.now() < until;) await delay(200);
    const { rows } = await pool.query<{ readonly trace: string }>(
      `select concat_ws(' ', c.path, c.kind, c.phase, c.end_type,
          case when c.kind = 'Parallel' and c.end_type = 'normal' then '' else concat(c.end_description, ' ', c.end_component) end,
          'was', (c.created_at is not null), (c.deployed_at is not null), (c.starting_at is not null), (c.up_at is not null),
          (c.ending_at is not null), (c.ended_at is not null)) as trace
       from ${TABLES}.components c join ${TABLES}.deployments d on d.life = c.life where d.name = $1 order by 1`,
      [deployment],
    );
    return rows.map(({ trace }) => trace.replaceAll(deployment, 'it'));
  } finally {
    await pool.end();
  }
}
