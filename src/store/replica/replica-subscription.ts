import pg from 'pg';
import { TABLES } from '../names.js';
import { ReplicaError, SideAway } from './replica-error.js';
import type { Replica } from './replica.js';
import type { Side } from './side.js';

/*
 * The replica's side of a replica: a subscription to what the store publishes.
 *
 * replica-subscription.1. The store's password stands in no statement, so it comes into no log: it is a setting of the connection
 * that makes the subscription.
 * replica-subscription.2. A table that is subscribed for the first time is emptied before: all its rows come from the store.
 * replica-subscription.3. While a table is copied, its server waits for its disk (synchronous_commit): when it has the rows, it drops at
 * the store what it copied from, and it could never go on if it were killed and had forgotten that it has them. Afterwards it
 * waits no more: what it forgets then is brought again, and one transaction after the other need not wait.
 * replica-subscription.4. PostgreSQL drops at the store what a table was copied from shortly before it notes on its disk that the table
 * is done. A kill in between leaves a table that can never go on, and that PostgreSQL does not report: it is copied once more.
 */

/** The setting of a connection that holds how the store is reached, with its password. */
const SECRET = 'reeve.copied_store';

/** Parameters of an address that libpq, by which PostgreSQL connects, knows too. */
const OF_LIBPQ = [
  'host',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'channel_binding',
  'target_session_attrs',
  'options',
];

const NOT_PERMITTED = '42501';
/** The class of PostgreSQL's codes of connections that fail: here, of its own to the store. */
const CONNECTION_EXCEPTION = '08';
const SUBSCRIPTION = `select oid::text, subenabled as enabled, subsynccommit = 'on' as "waitsForDisk" from pg_subscription where subname = $1
  and subdbid = (select oid from pg_database where datname = current_database())`;

export interface Subscription {
  readonly oid: string;
  readonly enabled: boolean;
  /** replica-subscription.3 */
  readonly waitsForDisk: boolean;
}

/** Nothing where there is none. */
export async function readSubscription(target: Side, name: string): Promise<Subscription | undefined> {
  return (await target.query<Subscription>(SUBSCRIPTION, [name]))[0];
}

/** Makes the subscription unless it is there, leads it to an address, and lets it read. @throws ReplicaError */
export async function subscribe(target: Side, name: string, storeUrl: string): Promise<Subscription> {
  if (!(await readSubscription(target, name))) await create(target, name);
  await withSecret(target, connectionOf(storeUrl), `alter subscription ${name} connection %L`);
  await target.query(`alter subscription ${name} enable`);
  const made = await readSubscription(target, name);
  if (made === undefined) throw new ReplicaError('dropped', `${target.called} was dropped or promoted meanwhile.`);
  return made;
}

interface SubscribedTable {
  readonly name: string;
  /** Tells whether it has all its rows. */
  readonly ready: boolean;
  /** The slot at the store of one whose rows were copied, and which has yet to take in what came meanwhile. */
  readonly slot: string | null;
}

/** The tables of which the subscription knows, and how far each is. */
export async function subscribedTables(target: Side, name: string): Promise<readonly SubscribedTable[]> {
  return target.query<SubscribedTable>(
    `select relname as name, srsubstate = 'r' as ready,
       case srsubstate when 'f' then 'pg_' || s.oid || '_sync_' || srrelid || '_' || system_identifier end as slot
     from pg_subscription_rel join pg_class on pg_class.oid = srrelid join pg_subscription s on s.oid = srsubid, pg_control_system()
     where subname = $1 and subdbid = (select oid from pg_database where datname = current_database()) order by 1`,
    [name],
  );
}

/**
 * Lists the tables that were copied and cannot go on, since the slot for their changes is gone, among those that were seen a moment ago.
 * replica-subscription.4
 */
export async function cutOffTables(
  { store, target }: Pick<Replica, 'store' | 'target'>,
  name: string,
  seen: readonly SubscribedTable[],
): Promise<readonly string[]> {
  const copied = seen.flatMap(({ slot }) => slot ?? []);
  if (copied.length === 0) return [];
  const rows = await store.query<{ slot: string }>(
    'select slot_name as slot from pg_replication_slots where slot_name = any ($1)',
    [copied],
  );
  const lacking = copied.filter((each) => !rows.some(({ slot }) => slot === each));
  if (lacking.length === 0) return [];
  // One that was done in the meantime lacks nothing.
  const still = await subscribedTables(target, name);
  return still.filter(({ slot }) => slot !== null && lacking.includes(slot)).map((each) => each.name);
}

/** Subscribes to all that is published by now; what is new is copied from its beginning. replica-subscription.2 */
export async function subscribeTables(target: Side, name: string, published: readonly string[]): Promise<void> {
  const known = await subscribedTables(target, name);
  const added = published.filter((table) => !known.some((each) => each.name === table));
  const removed = known.filter((each) => !published.includes(each.name));
  if (added.length === 0 && removed.length === 0) return;
  if (added.length > 0) {
    await waitForDisk(target, name, true);
    const list = added.map((table) => `${TABLES}."${table}"`).join(', ');
    await target.session(async (client) => {
      // The guards of the tables refuse that to all others.
      await client.query('begin');
      for (const table of added) await client.query(`alter table ${TABLES}."${table}" disable trigger user`);
      await client.query(`truncate ${list}`);
      for (const table of added) await client.query(`alter table ${TABLES}."${table}" enable trigger user`);
      await client.query('commit');
    });
  }
  try {
    await target.query(`alter subscription ${name} refresh publication`);
  } catch (thrown) {
    const cause = thrown instanceof SideAway ? thrown.cause : undefined;
    if (!(cause instanceof pg.DatabaseError) || !cause.code?.startsWith(CONNECTION_EXCEPTION)) throw thrown;
    throw new SideAway(
      'store_unreachable',
      `${target.called} cannot reach the store (${cause.message.replaceAll(/\s+/g, ' ')}). If its server reaches the store at another address than ` +
        `this machine, set --from.`,
      { cause },
    );
  }
}

/** Waits for the disk exactly while tables are copied. replica-subscription.3 */
export async function waitWhileCopied(target: Side, name: string): Promise<void> {
  const wanted = (await subscribedTables(target, name)).some((table) => !table.ready);
  if ((await readSubscription(target, name))?.waitsForDisk !== wanted) await waitForDisk(target, name, wanted);
}

async function waitForDisk(target: Side, name: string, waits: boolean): Promise<void> {
  await target.query(`alter subscription ${name} set (synchronous_commit = ${waits ? 'on' : 'off'})`);
}

/** Reads no further, until it is enabled again. */
export async function pause(target: Side, name: string): Promise<void> {
  await target.query(`alter subscription ${name} disable`);
}

/** Follows nobody any more, if it did; the slot is left to the store. */
export async function unsubscribe(target: Side, name: string): Promise<void> {
  if (!(await readSubscription(target, name))) return;
  await target.query(`alter subscription ${name} disable`);
  await target.query(`alter subscription ${name} set (slot_name = none)`);
  await target.query(`drop subscription ${name}`);
}

/** How often the replica's server has failed to take something in: it says why in its log alone. */
export async function failuresOf(target: Side, name: string): Promise<number> {
  const [row] = await target.query<{ failures: number }>(
    `select (apply_error_count + sync_error_count)::float8 as failures from pg_stat_subscription_stats where subname = $1`,
    [name],
  );
  return row?.failures ?? 0;
}

/** Makes what libpq calls a connection string, of an address. */
function connectionOf(url: string): string {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const values: readonly (readonly [string, string])[] = [
    ['host', hostname.replace(/^\[|\]$/g, '')],
    ['port', port || '5432'],
    ['user', decodeURIComponent(username)],
    ['password', decodeURIComponent(password)],
    ['dbname', decodeURIComponent(pathname.slice(1))],
    ['connect_timeout', searchParams.get('connect_timeout') ?? '10'],
    ...OF_LIBPQ.flatMap((name) => (searchParams.has(name) ? [[name, searchParams.get(name)!] as const] : [])),
  ];
  return values
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}='${value.replaceAll(/['\\]/g, '\\$&')}'`)
    .join(' ');
}

/** Makes a subscription that leads nowhere yet, since PostgreSQL warns of one that is not connected, in its log. */
async function create(target: Side, name: string): Promise<void> {
  try {
    await target.query(
      `create subscription ${name} connection 'host=127.0.0.1 password=none' publication ${name}
       with (connect = false, slot_name = ${name})`,
    );
  } catch (thrown) {
    if (!(thrown instanceof pg.DatabaseError) || thrown.code !== NOT_PERMITTED) throw thrown;
    const role = decodeURIComponent(new URL(target.url).username);
    throw new ReplicaError(
      'role_cannot_subscribe',
      `${target.called} does not let the role '${role}' create a subscription (${thrown.message}). As a superuser: ` +
        `GRANT pg_create_subscription TO ${pg.escapeIdentifier(role)}, and GRANT CREATE ON DATABASE to it.`,
      { cause: thrown },
    );
  }
}

/** Carries out a statement, in which the secret takes the place of `%L`. */
async function withSecret(target: Side, secret: string, statement: string): Promise<void> {
  const url = new URL(target.url);
  const setting = `-c ${SECRET}=${secret.replaceAll(/[\\\s]/g, '\\$&')}`;
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${setting}`.trim());
  await target.session(async (client) => {
    // An error of its own would be logged with the statement that has failed.
    await client.query(`do $$ begin
      execute format(${pg.escapeLiteral(statement)}, current_setting('${SECRET}'));
    exception when others then
      raise exception using errcode = sqlstate, message = sqlerrm;
    end $$`);
  }, url.href);
}
