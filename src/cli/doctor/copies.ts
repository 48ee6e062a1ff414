import { databasePlace } from '../../stack/database.js';
import { readCopies, Side, type CopyStatus } from '../../store/copy/index.js';
import { ok, problem, type Finding } from './finding.js';

const ABOUT = 'copy of the store';

/** How the copies of the store are, as its server knows; nothing where it has none. A6 */
export async function findCopies(url: string): Promise<readonly Finding[]> {
  const store = new Side('store', { url, place: databasePlace(url) });
  try {
    return (await readCopies(store)).map(findingOf);
  } finally {
    await store.close();
  }
}

function findingOf({ copy, state, problem: wrong, lag, held }: CopyStatus): Finding {
  if (wrong === null) return ok(ABOUT, `${copy}: ${state}, ${lag?.rows ?? 0} rows behind`);
  const kept = held ? ` ${Math.round(held.bytes / 1024 ** 2)} MB of the log are kept for it.` : '';
  const limit = held?.limit === null ? ' without a limit: set max_slot_wal_keep_size' : '';
  return problem(
    ABOUT,
    `${copy}: ${wrong}${kept}`,
    `Run: reeve copy --to ..., or end it by --drop.${limit && ` The log is kept${limit}.`}`,
  );
}
