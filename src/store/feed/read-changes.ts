import { sql } from 'kysely';
import type { StoreReader } from '../reader.js';
import type { StoreViews } from '../views/index.js';
import { storeName } from './position.js';

/** Which changes somebody reads. */
export interface ChangesQuestion {
  /** Changes after this number. */
  readonly after: number;
  /** Of entities of these types; of all where it is absent. */
  readonly types?: readonly string[] | undefined;
  /** Of these kinds, `transition` and `waits`; of all where it is absent. */
  readonly kinds?: readonly string[] | undefined;
  /** Of entities of this tenant; of all, and of none, where it is absent. */
  readonly tenant?: string | undefined;
  /** At most so many. */
  readonly most: number;
}

export type ChangeRow = StoreViews['changes'];

/** A piece of the feed. */
export interface ChangesRead {
  readonly changes: readonly ChangeRow[];
  /** The number up to which everything that was asked for has been read. */
  readonly upTo: number;
}

/** The feed as it is now. */
export interface FeedState {
  readonly store: string;
  readonly trimmed: number;
  readonly position: number;
}

/** How many changes are looked at in one query, so that rare ones cost no long query. */
const LOOKED_AT = 5_000;

/** @throws when the database is unavailable */
export async function readFeed(reader: StoreReader): Promise<FeedState> {
  const { store, trimmed, position } = await reader.selectFrom('feed').selectAll().executeTakeFirstOrThrow();
  return { store: storeName(store), trimmed, position };
}

/** Reads on in the feed, in its order. @throws when the database is unavailable */
export async function readChanges(
  reader: StoreReader,
  { after, types, kinds, tenant, most }: ChangesQuestion,
): Promise<ChangesRead> {
  // The end is read first: what is there by then is seen by the next query.
  const { position } = await reader.selectFrom('feed').select('position').executeTakeFirstOrThrow();
  const end = Math.min(position, after + LOOKED_AT);
  if (end <= after) return { changes: [], upTo: after };
  let query = reader.selectFrom('changes').selectAll().where('position', '>', after).where('position', '<=', end);
  if (types) query = query.where(sql<boolean>`entity_type = any(${types}::text[])`);
  if (kinds) query = query.where('kind', 'in', kinds);
  if (tenant !== undefined) query = query.where('tenant', '=', tenant);
  const changes = await query.orderBy('position').limit(most).execute();
  return { changes, upTo: changes.length < most ? end : changes.at(-1)!.position };
}
