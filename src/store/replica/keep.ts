import pg from 'pg';
import { createDatabase } from '../create-database.js';
import { TABLES, VIEWS } from '../names.js';
import { slotLost } from './arrival.js';
import { replicaName, identityOf, type Replica } from './replica.js';
import { ReplicaError, SideAway } from './replica-error.js';
import { readProvenance, removeProvenance, storeTables, writeProvenance, type Provenance } from './provenance.js';
import { makeSlot, publish, publishedTables, readSlot, unpublish, withhold } from './publication.js';
import { requireEmpty, requireSource, requireTarget } from './requirements.js';
import {
  cutOffTables,
  readSubscription,
  subscribe,
  subscribedTables,
  subscribeTables,
  unsubscribe,
  waitWhileCopied,
} from './replica-subscription.js';
import { alignTables, lacksMigrations, requireVersion } from './tables.js';
import { inTurn } from './turn.js';

/*
 * A replica is set up and mended by the same steps, each of which does nothing where it was done: so a kill at any place is made
 * good by doing all of them again. A6
 *
 * keep.1. Nothing is changed in a database that is neither empty nor a replica of this store.
 * keep.2. A replica whose slot is gone is never followed further as if nothing were missing. Nor is one whose publication is: what was
 * written without it is told to nobody.
 */

/** Sets up a replica, or mends what it lacks. The name of the replica. @throws ReplicaError */
export async function keepReplica(
  replica: Replica,
  { anew = false }: { readonly anew?: boolean } = {},
): Promise<string> {
  const { store, target } = replica;
  await requireSource(store);
  await makeTarget(target);
  await requireTarget(target);
  return inTurn(target, async () => {
    const [storeIdentity, targetIdentity] = [await identityOf(store), await identityOf(target)];
    if (storeIdentity === targetIdentity) {
      throw new ReplicaError('same_database', `The database at ${target.place} is the store itself. Name another one.`);
    }
    const name = replicaName(storeIdentity, targetIdentity);
    await requireVersion(store);
    if (anew) await clear(replica, name);
    const provenance = await readProvenance(target);
    if (provenance) requireSame(provenance, name, target);
    else await requireEmpty(target);
    await requireSlot(replica, name);
    await publish(store, name, { place: target.place, identity: targetIdentity });
    await makeSlot(store, name);
    if (!provenance) await writeProvenance(target, { name, store: storeIdentity, storePlace: store.place });
    await alignTables(replica, name);
    const { oid } = await subscribe(target, name, replica.reachedAt);
    const cutOff = await cutOffTables(replica, name, await subscribedTables(target, name));
    if (cutOff.length > 0) {
      await withhold(store, name, cutOff);
      await subscribeTables(target, name, (await publishedTables(store, name)) ?? []);
    }
    // Migrations may have brought tables.
    await publish(store, name, { place: target.place, identity: targetIdentity, subscription: oid });
    await subscribeTables(target, name, (await publishedTables(store, name)) ?? []);
    await waitWhileCopied(target, name);
    return name;
  });
}

/** Tells whether something has changed in the store or the replica that `keepReplica` has to mend. @throws ReplicaError */
export async function needsKeeping(replica: Replica, name: string): Promise<boolean> {
  const { store, target } = replica;
  const provenance = await readProvenance(target);
  if (!provenance || provenance.promotion) {
    throw new ReplicaError(
      'no_replica',
      `The database at ${target.place} is no longer a replica: it was promoted, or dropped.`,
    );
  }
  requireSame(provenance, name, target);
  await requireSlot(replica, name);
  if (await lacksMigrations(replica)) return true;
  const [tables, published, subscribed] = await Promise.all([
    storeTables(store),
    publishedTables(store, name),
    subscribedTables(target, name),
  ]);
  if (published?.join() !== tables.join() || subscribed.map((each) => each.name).join() !== tables.join()) return true;
  if ((await cutOffTables(replica, name, subscribed)).length > 0) return true;
  const subscription = await readSubscription(target, name);
  return subscription?.enabled !== true || subscription.waitsForDisk !== subscribed.some((table) => !table.ready);
}

/** keep.2 @throws ReplicaError where the replica has begun to follow, and what it has to follow is gone */
export async function requireSlot({ store, target }: Replica, name: string): Promise<void> {
  const slot = await readSlot(store, name);
  const published = await publishedTables(store, name);
  if (slot?.lost || ((!slot || !published) && (await readSubscription(target, name)))) throw slotLost(store, target);
}

/** keep.1 */
export function requireSame(
  { name, storePlace, promotion }: Provenance,
  wanted: string,
  target: Pick<Replica['target'], 'place'>,
): void {
  if (name !== wanted) {
    throw new ReplicaError(
      'replica_of_another_store',
      `The database at ${target.place} is a replica of another store, which was at ${storePlace}. Name another database.`,
    );
  }
  if (promotion) {
    throw new ReplicaError(
      'being_promoted',
      `The replica at ${target.place} is being promoted. Finish that with 'reeve replica --to ... --promote'.`,
    );
  }
}

/** Takes all of a replica back, so that it begins as in an empty database. Of one that is none, nothing. */
export async function clear({ store, target }: Pick<Replica, 'store' | 'target'>, name: string): Promise<void> {
  const provenance = await readProvenance(target);
  if (!provenance) return requireEmpty(target);
  requireSame(provenance, name, target);
  await unsubscribe(target, name);
  await unpublish(store, name);
  await target.query(`drop schema if exists ${VIEWS}, ${TABLES} cascade`);
  await removeProvenance(target);
}

const NO_DATABASE = '3D000';

/** Makes the replica's database where its server has none of that name. */
async function makeTarget(target: Replica['target']): Promise<void> {
  try {
    await target.query('select');
  } catch (thrown) {
    const cause = thrown instanceof SideAway ? thrown.cause : undefined;
    if (!(cause instanceof pg.DatabaseError) || cause.code !== NO_DATABASE) throw thrown;
    await target.attempt(() => createDatabase(target.url));
  }
}
