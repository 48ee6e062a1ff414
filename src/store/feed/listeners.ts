import { TABLES } from '../names.js';
import type { StoreReader } from '../reader.js';
import type { StoreViews } from '../views/index.js';
import type { Database } from '../writing/write-rows.js';

/** Somebody who reads the feed, and the last change that they have had. */
export interface Listener {
  readonly name: string;
  readonly position: number;
}

/** For how long after its last question somebody counts as listening. */
const LISTENS = `interval '2 minutes'`;
/** For how long somebody who asks no more is remembered. */
const REMEMBERED = `interval '30 days'`;

const HAVE = `select exists (select from ${TABLES}.feed_listeners where seen_at > now() - ${LISTENS}) as listens`;

const NOTE = `insert into ${TABLES}.feed_listeners as old (name, position, seen_at)
  select name, max(position), now() from json_to_recordset($1::json) as new(name text, position bigint) group by name order by name
  on conflict (name) do update set position = excluded.position, seen_at = excluded.seen_at`;

const FORGET = `delete from ${TABLES}.feed_listeners where seen_at < now() - ${REMEMBERED}`;

/** Tells whether anybody listens, or did so a moment ago. @throws when the database is unavailable */
export async function haveListeners(database: Database): Promise<boolean> {
  const { rows } = await database.query({ name: 'have listeners', text: HAVE, values: [] });
  return (rows as readonly { readonly listens: boolean }[])[0]?.listens === true;
}

/** Notes how far listeners have come. @throws when the database is unavailable */
export async function noteListeners(database: Database, listeners: readonly Listener[]): Promise<void> {
  await database.query({ name: 'listeners', text: NOTE, values: [JSON.stringify(listeners)] });
}

/** Forgets those who have not asked for a long time. @throws when the database is unavailable */
export async function forgetListeners(database: Database): Promise<void> {
  await database.query({ text: FORGET, values: [] });
}

/** Those who listen, or have listened in the last month, by their names. L4 @throws when the database is unavailable */
export function readListeners(reader: StoreReader): Promise<readonly StoreViews['feed_listeners'][]> {
  return reader.selectFrom('feed_listeners').selectAll().orderBy('name').execute();
}
