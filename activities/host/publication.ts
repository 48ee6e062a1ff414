import type pg from 'pg';

/** The publication that a primary needs so that its changes can be replicated. Each database has one, of all its tables. */
export const PUBLICATION = 'reeve_standby';

/**
 * Tells rows without a key apart by all their values, since PostgreSQL would refuse to change them otherwise once they are
 * published. It does so for tables that exist and, by a trigger, for those that come.
 */
const IDENTIFY_ROWS = `
CREATE SCHEMA IF NOT EXISTS reeve;
CREATE OR REPLACE FUNCTION reeve.identify_rows() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE unidentified regclass;
BEGIN
  FOR unidentified IN
    SELECT oid FROM pg_class WHERE oid IN (SELECT objid FROM pg_event_trigger_ddl_commands())
      AND relkind IN ('r', 'p') AND relpersistence = 'p' AND relreplident = 'd'
      AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)
  LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', unidentified);
  END LOOP;
END $$;
DROP EVENT TRIGGER IF EXISTS reeve_identify_rows;
CREATE EVENT TRIGGER reeve_identify_rows ON ddl_command_end
  WHEN TAG IN ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE')
  EXECUTE FUNCTION reeve.identify_rows();
DO $$
DECLARE unidentified regclass;
BEGIN
  FOR unidentified IN
    SELECT pg_class.oid FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND relpersistence = 'p' AND relreplident = 'd'
      AND nspname NOT IN ('pg_catalog', 'information_schema')
      AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)
  LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', unidentified);
  END LOOP;
END $$;
`;

/** The query for the databases of an instance that hold what users have put there. */
export const USER_DATABASES = `SELECT oid::text, datname AS name FROM pg_database WHERE datallowconn AND NOT datistemplate AND datname <> 'postgres' ORDER BY oid`;

/** Publishes all changes of a database. From now on it keeps them for the one that follows the slot. */
export async function publish(client: pg.Client, slot: string): Promise<void> {
  await client.query(IDENTIFY_ROWS);
  const { rowCount } = await client.query('SELECT FROM pg_publication WHERE pubname = $1', [PUBLICATION]);
  if (!rowCount) await client.query(`CREATE PUBLICATION ${PUBLICATION} FOR ALL TABLES`);
  await dropSlot(client, slot);
  await client.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slot]);
}

/** Removes everything that `publish` has made, if it is there. */
export async function unpublish(client: pg.Client, slot: string): Promise<void> {
  await dropSlot(client, slot);
  await client.query(`DROP PUBLICATION IF EXISTS ${PUBLICATION}`);
  await client.query('DROP EVENT TRIGGER IF EXISTS reeve_identify_rows');
  await client.query('DROP SCHEMA IF EXISTS reeve CASCADE');
}

/** A slot keeps the log for as long as it exists, so none may be left behind. */
async function dropSlot(client: pg.Client, slot: string): Promise<void> {
  await client.query(
    `SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots WHERE slot_name = $1 AND active_pid IS NOT NULL`,
    [slot],
  );
  await client.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1', [
    slot,
  ]);
}
