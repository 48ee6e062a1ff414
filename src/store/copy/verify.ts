import { compareTable, type TableComparison } from './compare.js';
import { copyName, identityOf, type Copy } from './copy.js';
import { CopyError } from './copy-error.js';
import { requireSame, requireSlot } from './keep.js';
import { readProvenance, storeTables } from './provenance.js';
import { atSameLsn } from './same-lsn.js';
import { subscribedTables } from './copy-subscription.js';
import { migrationsOf } from './tables.js';

/** What a comparison of a store and its copy has found. A6 */
export interface Verification {
  readonly store: string;
  readonly copy: string;
  /** The position in the store's log at which both were seen: `0/1BA7668`. */
  readonly lsn: string;
  readonly equal: boolean;
  readonly tables: readonly TableComparison[];
  /** What else differs, in words. */
  readonly problems: readonly string[];
}

/**
 * Compares every row of every table of a store and its copy, as both were at one position of the store's log. Writers wait for a
 * moment, and not while the rows are read. @throws CopyError when the copy comes to no such position within the time
 */
export async function verifyCopy(
  copy: Copy,
  { withinMs = 60_000 }: { readonly withinMs?: number } = {},
): Promise<Verification> {
  const { store, target } = copy;
  const name = copyName(await identityOf(store), await identityOf(target));
  const provenance = await readProvenance(target);
  if (!provenance)
    throw new CopyError('no_copy', `The database at ${target.place} is no copy: there is nothing to compare.`);
  requireSame(provenance, name, target);
  await requireSlot(copy, name);
  const problems = [...(await unfinished(copy, name)), ...(await differentMigrations(copy))];
  return atSameLsn(copy, name, withinMs, async (same) => {
    const tables: TableComparison[] = [];
    for (const table of await storeTables(store)) tables.push(await compareTable(same, table));
    const equal = problems.length === 0 && tables.every((table) => table.equal);
    return { store: store.place, copy: target.place, lsn: same.lsn, equal, tables, problems };
  });
}

async function unfinished({ target }: Copy, name: string): Promise<readonly string[]> {
  const copied = (await subscribedTables(target, name)).filter(({ ready }) => !ready);
  return copied.map((table) => `the table ${table.name} is still being copied from its beginning`);
}

async function differentMigrations({ store, target }: Copy): Promise<readonly string[]> {
  const [theirs, own] = await Promise.all([migrationsOf(store), migrationsOf(target)]);
  if (theirs.join() === own.join()) return [];
  return [`the store has had the migrations ${theirs.join(', ')}; the copy ${own.join(', ') || 'none'}`];
}
