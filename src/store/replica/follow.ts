import { setTimeout as delay } from 'node:timers/promises';
import type { Replica } from './replica.js';
import { SideAway } from './replica-error.js';
import { keepReplica, needsKeeping } from './keep.js';
import { readStatus, unreachable, type ReplicaStatus } from './status.js';
import { subscribe } from './replica-subscription.js';

const LOOK_EVERY_MS = 1_000;
/** A look that takes long, since much has to be counted, is taken less often: it is to cost little. */
const SHARE_OF_TIME = 10;

/**
 * Keeps a replica: sets it up, tells how it is about every second, and mends what is mended by setting it up again. While a
 * side is away, it waits for it. It ends only by an error. @throws ReplicaError
 */
export async function* followReplica(
  replica: Replica,
  { anew = false }: { readonly anew?: boolean } = {},
): AsyncGenerator<ReplicaStatus> {
  const { store, target } = replica;
  const name = await keepReplica(replica, { anew });
  let away = false;
  for (;;) {
    let status: ReplicaStatus;
    let tookMs = 0;
    try {
      if (await needsKeeping(replica, name)) await keepReplica(replica);
      // The store may be at another address than before, as the replica's server sees it.
      else if (away) await subscribe(target, name, replica.reachedAt);
      away = false;
      const startedAt = Date.now();
      status = await readStatus(replica, name);
      tookMs = Date.now() - startedAt;
    } catch (thrown) {
      if (!(thrown instanceof SideAway)) throw thrown;
      away = true;
      status = unreachable(thrown, { name, store: store.place, replica: target.place });
    }
    yield status;
    await delay(Math.max(LOOK_EVERY_MS, tookMs * SHARE_OF_TIME));
  }
}
