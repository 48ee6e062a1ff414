import pg from 'pg';
import { createDatabase } from '../create-database.js';
import { TABLES, VIEWS } from '../names.js';
import { slotLost } from './arrival.js';
import { copyName, identityOf, type Copy } from './copy.js';
import { CopyError, SideAway } from './copy-error.js';
import { readProvenance, removeProvenance, storeTables, writeProvenance, type Provenance } from './provenance.js';
import { makeSlot, publish, publishedTables, readSlot, unpublish } from './publication.js';
import { requireEmpty, requireSource, requireTarget } from './requirements.js';
import {
  readSubscription,
  subscribe,
  subscribedTables,
  subscribeTables,
  unsubscribe,
  waitWhileCopied,
} from './copy-subscription.js';
import { alignTables, lacksMigrations, requireVersion } from './tables.js';
import { inTurn } from './turn.js';

/*
 * A copy is set up and mended by the same steps, each of which does nothing where it was done: so a kill at any place is made
 * good by doing all of them again. A6
 *
 * keep.1. Nothing is changed in a database that is neither empty nor a copy of this store.
 * keep.2. A copy whose slot is gone is never followed further as if nothing were missing. Nor is one whose publication is: what was
 * written without it is told to nobody.
 */

/** Sets up a copy, or mends what it lacks. The name of the copy. @throws CopyError */
export async function keepCopy(copy: Copy, { anew = false }: { readonly anew?: boolean } = {}): Promise<string> {
  const { store, target } = copy;
  await requireSource(store);
  await makeTarget(target);
  await requireTarget(target);
  return inTurn(target, async () => {
    const [storeIdentity, targetIdentity] = [await identityOf(store), await identityOf(target)];
    if (storeIdentity === targetIdentity) {
      throw new CopyError('same_database', `The database at ${target.place} is the store itself. Name another one.`);
    }
    const name = copyName(storeIdentity, targetIdentity);
    await requireVersion(store);
    if (anew) await clear(copy, name);
    const provenance = await readProvenance(target);
    if (provenance) requireSame(provenance, name, target);
    else await requireEmpty(target);
    await requireSlot(copy, name);
    await publish(store, name, { place: target.place, identity: targetIdentity });
    await makeSlot(store, name);
    if (!provenance) await writeProvenance(target, { name, store: storeIdentity, storePlace: store.place });
    await alignTables(copy, name);
    const { oid } = await subscribe(target, name, copy.reachedAt);
    // Migrations may have brought tables.
    await publish(store, name, { place: target.place, identity: targetIdentity, subscription: oid });
    await subscribeTables(target, name, (await publishedTables(store, name)) ?? []);
    await waitWhileCopied(target, name);
    return name;
  });
}

/** Whether something has changed in the store or the copy that `keepCopy` has to mend. @throws CopyError */
export async function needsKeeping(copy: Copy, name: string): Promise<boolean> {
  const { store, target } = copy;
  const provenance = await readProvenance(target);
  if (!provenance || provenance.promotion) {
    throw new CopyError('no_copy', `The database at ${target.place} is no longer a copy: it was promoted, or dropped.`);
  }
  requireSame(provenance, name, target);
  await requireSlot(copy, name);
  if (await lacksMigrations(copy)) return true;
  const [tables, published, subscribed] = await Promise.all([
    storeTables(store),
    publishedTables(store, name),
    subscribedTables(target, name),
  ]);
  if (published?.join() !== tables.join() || subscribed.map((each) => each.name).join() !== tables.join()) return true;
  const subscription = await readSubscription(target, name);
  return subscription?.enabled !== true || subscription.waitsForDisk !== subscribed.some((table) => !table.ready);
}

/** keep.2 @throws CopyError where the copy has begun to follow, and what it has to follow is gone */
export async function requireSlot({ store, target }: Copy, name: string): Promise<void> {
  const slot = await readSlot(store, name);
  const published = await publishedTables(store, name);
  if (slot?.lost || ((!slot || !published) && (await readSubscription(target, name)))) throw slotLost(store, target);
}

/** keep.1 */
export function requireSame(
  { name, storePlace, promotion }: Provenance,
  wanted: string,
  target: Pick<Copy['target'], 'place'>,
): void {
  if (name !== wanted) {
    throw new CopyError(
      'copy_of_another_store',
      `The database at ${target.place} is a copy of another store, which was at ${storePlace}. Name another database.`,
    );
  }
  if (promotion) {
    throw new CopyError(
      'being_promoted',
      `The copy at ${target.place} is being promoted. 'reeve copy --to ... --promote' brings that to its end.`,
    );
  }
}

/** Takes all of a copy back, so that it begins as in an empty database. Of one that is none, nothing. */
export async function clear({ store, target }: Pick<Copy, 'store' | 'target'>, name: string): Promise<void> {
  const provenance = await readProvenance(target);
  if (!provenance) return requireEmpty(target);
  requireSame(provenance, name, target);
  await unsubscribe(target, name);
  await unpublish(store, name);
  await target.query(`drop schema if exists ${VIEWS}, ${TABLES} cascade`);
  await removeProvenance(target);
}

const NO_DATABASE = '3D000';

/** Makes the copy's database where its server has none of that name. */
async function makeTarget(target: Copy['target']): Promise<void> {
  try {
    await target.query('select');
  } catch (thrown) {
    const cause = thrown instanceof SideAway ? thrown.cause : undefined;
    if (!(cause instanceof pg.DatabaseError) || cause.code !== NO_DATABASE) throw thrown;
    await target.attempt(() => createDatabase(target.url));
  }
}
