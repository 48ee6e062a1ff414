import { compareTable, type TableComparison } from './compare.js';
import { replicaName, identityOf, type Replica } from './replica.js';
import { ReplicaError } from './replica-error.js';
import { requireSame, requireSlot } from './keep.js';
import { readProvenance, storeTables } from './provenance.js';
import { atSameLsn } from './same-lsn.js';
import { subscribedTables } from './replica-subscription.js';
import { migrationsOf } from './tables.js';

/** The outcome of a comparison of a store and its replica. A6 */
export interface Verification {
  readonly store: string;
  readonly replica: string;
  /** The position in the store's log at which both were seen: `0/1BA7668`. */
  readonly lsn: string;
  readonly equal: boolean;
  readonly tables: readonly TableComparison[];
  /** All other differences, in words. */
  readonly problems: readonly string[];
}

/**
 * Compares every row of every table of a store and its replica, as both were at one position of the store's log. Writers wait for a
 * moment, and not while the rows are read. @throws ReplicaError when the replica comes to no such position within the time
 */
export async function verifyReplica(
  replica: Replica,
  { withinMs = 60_000 }: { readonly withinMs?: number } = {},
): Promise<Verification> {
  const { store, target } = replica;
  const name = replicaName(await identityOf(store), await identityOf(target));
  const provenance = await readProvenance(target);
  if (!provenance)
    throw new ReplicaError(
      'no_replica',
      `The database at ${target.place} is not a replica, so there is nothing to compare.`,
    );
  requireSame(provenance, name, target);
  await requireSlot(replica, name);
  const problems = [...(await unfinished(replica, name)), ...(await differentMigrations(replica))];
  return atSameLsn(replica, name, withinMs, async (same) => {
    const tables: TableComparison[] = [];
    for (const table of await storeTables(store)) tables.push(await compareTable(same, table));
    const equal = problems.length === 0 && tables.every((table) => table.equal);
    return { store: store.place, replica: target.place, lsn: same.lsn, equal, tables, problems };
  });
}

async function unfinished({ target }: Replica, name: string): Promise<readonly string[]> {
  const copied = (await subscribedTables(target, name)).filter(({ ready }) => !ready);
  return copied.map((table) => `the table ${table.name} is still being copied from its beginning`);
}

async function differentMigrations({ store, target }: Replica): Promise<readonly string[]> {
  const [theirs, own] = await Promise.all([migrationsOf(store), migrationsOf(target)]);
  if (theirs.join() === own.join()) return [];
  return [`the store has had the migrations ${theirs.join(', ')}; the replica ${own.join(', ') || 'none'}`];
}
