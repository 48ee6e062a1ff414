import { createPool } from '../../src/store/pool.js';
import { TABLES } from '../../src/store/names.js';

/** What has become of each component of a deployment, by its rows, without the times. Waits until all of it is kept. */
export async function componentTraces(url: string, deployment: string): Promise<readonly string[]> {
  const pool = createPool({ url, connections: 1, name: 'traces' });
  try {
    const { rows } = await pool.query<{ readonly trace: string }>(
      `select concat_ws(' ', c.path, c.kind, c.phase, c.end_type, c.end_description, c.end_component,
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
