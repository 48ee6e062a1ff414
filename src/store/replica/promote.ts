import { migrate } from '../migrate.js';
import { readerLogin } from '../reader-role.js';
import { slotLost, untilArrived } from './arrival.js';
import { replicaName, identityOf, type Replica } from './replica.js';
import { ReplicaError, SideAway } from './replica-error.js';
import { stopWrites, allowWrites, allowStatement } from './write-stop.js';
import { admitWrites, beginPromotion, readProvenance, removeProvenance, type Provenance } from './provenance.js';
import { readSlot, unpublish } from './publication.js';
import { advanceSequences, replicaSequences } from './sequences.js';
import type { Side } from './side.js';
import { subscribedTables, unsubscribe } from './replica-subscription.js';
import { requireKnownVersion } from './tables.js';
import { inTurn } from './turn.js';

/*
 * A replica becomes a store of its own.
 *
 * promote.1. Unless it is asked to do without the store, it has everything that was committed there before the promotion began.
 * promote.2. What was begun after everything had arrived can be cut short at any place, and is brought to its end by repeating it.
 * promote.3. Where it fails before, the replica goes on following, and the store is as it was.
 */

export interface PromoteOptions {
  /** Tells whether nobody is to write to the store any more. It must answer. */
  readonly stopWrites?: boolean;
  /** Tells whether to do without what the store has and the replica does not, also where the store does not answer. */
  readonly withoutStore?: boolean;
  /** How long the replica may take to catch up, in milliseconds. */
  readonly withinMs?: number;
}

/** How a replica was promoted. */
export interface Promoted {
  readonly store: string;
  /** Where the replica was that is a store now. */
  readonly replica: string;
  /** It has everything that was committed in the store before the promotion began. */
  readonly complete: boolean;
  /** Nobody writes to the old store any more; this statement allows it again. */
  readonly allowAgain: string | null;
  /** Names what is left on the old store's server, since it did not answer: a slot and a publication of this name. */
  readonly leftBehind: string | null;
}

type Promotable = Omit<Replica, 'store' | 'reachedAt'> & { readonly store: Side | undefined };

/** Makes a store of a replica. @throws ReplicaError */
export async function promoteReplica(replica: Promotable, options: PromoteOptions = {}): Promise<Promoted> {
  const { target } = replica;
  return inTurn(target, async () => {
    const provenance = await readProvenance(target);
    if (!provenance)
      throw new ReplicaError(
        'no_replica',
        `The database at ${target.place} is not a replica, so it cannot be promoted.`,
      );
    const store = options.withoutStore ? await ifReachable(replica.store) : required(replica.store);
    if (store) await requireItsStore(store, target, provenance);
    await requireKnownVersion(target);
    const promotion = provenance.promotion ?? (await takeOver({ ...replica, store }, provenance.name, options));
    await beginPromotion(target, promotion);
    await unsubscribe(target, provenance.name);
    // Nothing arrives any more that a sequence has numbered.
    if (store && !options.withoutStore) await replicaSequences(store, target);
    else await advanceSequences(target);
    // A migration may write.
    await admitWrites(target);
    const { dimensions, warn } = replica;
    await target.attempt(() => migrate(target.pool, { dimensions, login: readerLogin(target.url), warn }));
    if (store) await unpublish(store, provenance.name);
    await removeProvenance(target);
    return {
      store: provenance.storePlace,
      replica: target.place,
      complete: promotion === 'complete',
      allowAgain: store && options.stopWrites ? allowStatement(store) : null,
      leftBehind: store ? null : provenance.name,
    };
  });
}

/** Brings everything into the replica that it is to have. */
async function takeOver(replica: Promotable, name: string, options: PromoteOptions) {
  const { store, target } = replica;
  const { withinMs = 60_000 } = options;
  if (!options.withoutStore && store) {
    if (options.stopWrites) await stopWrites(store);
    try {
      await requireReadyTables(target, name);
      const slot = await readSlot(store, name);
      if (!slot || slot.lost) throw slotLost(store, target);
      await untilArrived({ ...replica, store, reachedAt: store.url }, name, { withinMs });
    } catch (thrown) {
      if (options.stopWrites) await allowWrites(store);
      throw thrown;
    }
    return 'complete';
  }
  await requireReadyTables(target, name);
  return 'incomplete';
}

async function requireReadyTables(target: Side, name: string): Promise<void> {
  const tables = await subscribedTables(target, name);
  const ready = tables.filter((table) => table.ready).length;
  if (tables.length > 0 && ready === tables.length) return;
  throw new ReplicaError(
    'still_copying',
    `${target.called} is not complete: ${ready} of ${tables.length} tables have all their rows. Try again when 'reeve replica ` +
      `--status' shows 'following'.`,
  );
}

async function requireItsStore(store: Side, target: Side, { name, storePlace }: Provenance): Promise<void> {
  if (replicaName(await identityOf(store), await identityOf(target)) === name) return;
  throw new ReplicaError(
    'replica_of_another_store',
    `The database at ${target.place} is a replica of another store, which was at ${storePlace}. Set DATABASE_URL to that one.`,
  );
}

function required(store: Side | undefined): Side {
  if (store) return store;
  throw new ReplicaError('store_unknown', 'It is not known where the store is.');
}

async function ifReachable(store: Side | undefined): Promise<Side | undefined> {
  if (!store) return undefined;
  try {
    await store.query('select');
    return store;
  } catch (thrown) {
    if (thrown instanceof SideAway) return undefined;
    throw thrown;
  }
}
