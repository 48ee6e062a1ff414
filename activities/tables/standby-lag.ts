import type pg from 'pg';

/** How far a primary has written its log, so that a standby can be asked to come there. */
export async function writtenUpTo(primary: pg.Client): Promise<string> {
  const { rows } = await primary.query<{ lsn: string }>(
    `SELECT pg_logical_emit_message(false, 'reeve', 'read from here', true)::text AS lsn`,
  );
  return rows[0]!.lsn;
}

/** The slots by which a database of a standby follows its primary. */
export async function slotsOf(standby: pg.Client): Promise<readonly string[]> {
  const { rows } = await standby.query<{ slot: string }>(
    `SELECT subslotname AS slot FROM pg_subscription
     WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.map(({ slot }) => slot);
}

/** Tells whether the followers of these slots have come to a place in the log of the primary. */
export async function haveReached(primary: pg.Client, slots: readonly string[], place: string): Promise<boolean> {
  const { rows } = await primary.query<{ reached: boolean }>(
    'SELECT confirmed_flush_lsn >= $2 AS reached FROM pg_replication_slots WHERE slot_name = ANY($1)',
    [slots, place],
  );
  return slots.length > 0 && rows.length === slots.length && rows.every(({ reached }) => reached);
}
