import pg from 'pg';
import type { RunningPostgres } from '../../src/stack/postgres.js';
import { PUBLICATION } from './publication.js';

const NAME = 'reeve_standby';

export interface Publisher {
  readonly primary: RunningPostgres;
  readonly database: string;
  readonly slot: string;
}

/** Follows a publisher from a place in its log, or goes on from where it is. */
export async function subscribe(client: pg.Client, publisher: Publisher, from: string): Promise<void> {
  const known = await client.query<{ oid: string; subenabled: boolean }>(OWN);
  if (!known.rows[0]) {
    await client.query(
      `CREATE SUBSCRIPTION ${NAME} CONNECTION ${pg.escapeLiteral(connection(publisher))} PUBLICATION ${PUBLICATION}
       WITH (create_slot = false, slot_name = '${publisher.slot}', copy_data = false, enabled = false)`,
    );
  }
  const { oid, subenabled } = known.rows[0] ?? (await client.query<{ oid: string; subenabled: boolean }>(OWN)).rows[0]!;
  // The primary may have another port after a restart.
  await client.query(`ALTER SUBSCRIPTION ${NAME} CONNECTION ${pg.escapeLiteral(connection(publisher))}`);
  if (subenabled) return;
  await client.query('SELECT pg_replication_origin_advance($1, $2)', [`pg_${oid}`, from]);
  await client.query(`ALTER SUBSCRIPTION ${NAME} ENABLE`);
}

/** Ends the following. The slot is left to the publisher. */
export async function unsubscribe(client: pg.Client): Promise<void> {
  if (!(await client.query(OWN)).rowCount) return;
  await client.query(`ALTER SUBSCRIPTION ${NAME} DISABLE`);
  await client.query(`ALTER SUBSCRIPTION ${NAME} SET (slot_name = NONE)`);
  await client.query(`DROP SUBSCRIPTION ${NAME}`);
}

const OWN = `SELECT oid::text, subenabled FROM pg_subscription WHERE subname = '${NAME}'
  AND subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

function connection({ primary, database }: Publisher): string {
  return `host=127.0.0.1 port=${primary.port} user=${primary.user} password=${primary.password} dbname=${database}`;
}
