import { copyName, identityOf } from './copy.js';
import { CopyError, SideAway } from './copy-error.js';
import { clear } from './keep.js';
import { readProvenance } from './provenance.js';
import { copyRecords, unpublish } from './publication.js';
import type { Side } from './side.js';
import { inTurn } from './turn.js';

/** What was ended. */
export interface Dropped {
  /** The names of the slots and publications that are gone from the store's server. */
  readonly atStore: readonly string[];
  /** Whether the copy's rows are gone from its database, and all that made it a copy. */
  readonly atCopy: boolean;
  /** Why the copy was left as it is. */
  readonly problem: string | null;
}

/**
 * Ends a copy on both sides: the store's server keeps nothing for it, and its database is empty again. Where the copy does not
 * answer, the store's side is ended all the same. @throws CopyError where there is nothing to end
 */
export async function dropCopy(store: Side, target: Side): Promise<Dropped> {
  const found = await atTarget(store, target);
  const records = await copyRecords(store);
  // Several can be at one address in turns, or at the same one of different machines.
  const same = records.filter(({ name }) => name === found.name);
  const own = same.length > 0 || found.dropped ? same : records.filter(({ place }) => place === target.place);
  for (const { name } of own) await unpublish(store, name);
  const atStore = [...new Set([...own.map(({ name }) => name), ...(found.dropped && found.name ? [found.name] : [])])];
  if (atStore.length === 0 && !found.dropped) {
    throw new CopyError(
      'no_copy',
      `There is no copy of this store at ${target.place}. 'reeve copy --status' lists those that there are.` +
        (found.problem === null ? '' : ` ${found.problem}`),
    );
  }
  return { atStore, atCopy: found.dropped, problem: found.problem };
}

/** Ends the copy's side, while the store's side still says whose it is. */
async function atTarget(store: Side, target: Side) {
  try {
    const name = copyName(await identityOf(store), await identityOf(target));
    const dropped = await inTurn(target, async () => {
      if (!(await readProvenance(target))) return false;
      await clear({ store, target }, name);
      return true;
    });
    return { name, dropped, problem: null };
  } catch (thrown) {
    if (!(thrown instanceof SideAway) || thrown.code !== 'copy_unreachable') throw thrown;
    return { name: undefined, dropped: false, problem: thrown.message };
  }
}
