import { replicaName, identityOf } from './replica.js';
import { ReplicaError, SideAway } from './replica-error.js';
import { clear } from './keep.js';
import { readProvenance } from './provenance.js';
import { replicaRecords, unpublish } from './publication.js';
import type { Side } from './side.js';
import { inTurn } from './turn.js';

/** All that was ended. */
export interface Dropped {
  /** The names of the slots and publications that are gone from the store's server. */
  readonly atStore: readonly string[];
  /** Tells whether the replica's rows are gone from its database, and all that made it a replica. */
  readonly atReplica: boolean;
  /** Why the replica was left as it is. */
  readonly problem: string | null;
}

/**
 * Ends a replica on both sides: the store's server keeps nothing for it, and its database is empty again. Where the replica does not
 * answer, the store's side is ended all the same. @throws ReplicaError where there is nothing to end
 */
export async function dropReplica(store: Side, target: Side): Promise<Dropped> {
  const found = await atTarget(store, target);
  const records = await replicaRecords(store);
  // Several can be at one address in turns, or at the same one of different machines.
  const same = records.filter(({ name }) => name === found.name);
  const own = same.length > 0 || found.dropped ? same : records.filter(({ place }) => place === target.place);
  for (const { name } of own) await unpublish(store, name);
  const atStore = [...new Set([...own.map(({ name }) => name), ...(found.dropped && found.name ? [found.name] : [])])];
  if (atStore.length === 0 && !found.dropped) {
    throw new ReplicaError(
      'no_replica',
      `There is no replica of this store at ${target.place}. 'reeve replica --status' lists all replicas.` +
        (found.problem === null ? '' : ` ${found.problem}`),
    );
  }
  return { atStore, atReplica: found.dropped, problem: found.problem };
}

/** Ends the replica's side, while the store's side still says whose it is. */
async function atTarget(store: Side, target: Side) {
  try {
    const name = replicaName(await identityOf(store), await identityOf(target));
    const dropped = await inTurn(target, async () => {
      if (!(await readProvenance(target))) return false;
      await clear({ store, target }, name);
      return true;
    });
    return { name, dropped, problem: null };
  } catch (thrown) {
    if (!(thrown instanceof SideAway) || thrown.code !== 'replica_unreachable') throw thrown;
    return { name: undefined, dropped: false, problem: thrown.message };
  }
}
