import { databasePlace } from '../../stack/database.js';
import { readReplicas, Side, type ReplicaStatus } from '../../store/replica/index.js';
import { ok, problem, type Finding } from './finding.js';

const ABOUT = 'replica of the store';

/** How the replicas of the store are, as its server knows; nothing where it has none. A6 */
export async function findReplicas(url: string): Promise<readonly Finding[]> {
  const store = new Side('store', { url, place: databasePlace(url) });
  try {
    return (await readReplicas(store)).map(findingOf);
  } finally {
    await store.close();
  }
}

function findingOf({ replica, state, problem: wrong, lag, held }: ReplicaStatus): Finding {
  if (wrong === null) return ok(ABOUT, `${replica}: ${state}, ${lag?.rows ?? 0} rows behind`);
  const kept = held ? ` ${Math.round(held.bytes / 1024 ** 2)} MB of the log are kept for it.` : '';
  const limit = held?.limit === null ? ' without a limit: set max_slot_wal_keep_size' : '';
  return problem(
    ABOUT,
    `${replica}: ${wrong}${kept}`,
    `Run: reeve replica --to ..., or remove it with --drop.${limit && ` The log is kept${limit}.`}`,
  );
}
