import { setTimeout as delay } from 'node:timers/promises';
import type { Copy } from './copy.js';
import { SideAway } from './copy-error.js';
import { keepCopy, needsKeeping } from './keep.js';
import { readStatus, unreachable, type CopyStatus } from './status.js';
import { subscribe } from './copy-subscription.js';

const LOOK_EVERY_MS = 1_000;
/** A look that takes long, since much has to be counted, is taken less often: it is to cost little. */
const SHARE_OF_TIME = 10;

/**
 * Keeps a copy: sets it up, tells how it is about every second, and mends what is mended by setting it up again. While a
 * side is away, it waits for it. It ends only by an error. @throws CopyError
 */
export async function* followCopy(
  copy: Copy,
  { anew = false }: { readonly anew?: boolean } = {},
): AsyncGenerator<CopyStatus> {
  const { store, target } = copy;
  const name = await keepCopy(copy, { anew });
  let away = false;
  for (;;) {
    let status: CopyStatus;
    let tookMs = 0;
    try {
      if (await needsKeeping(copy, name)) await keepCopy(copy);
      // The store may be at another address than before, as the copy's server sees it.
      else if (away) await subscribe(target, name, copy.reachedAt);
      away = false;
      const startedAt = Date.now();
      status = await readStatus(copy, name);
      tookMs = Date.now() - startedAt;
    } catch (thrown) {
      if (!(thrown instanceof SideAway)) throw thrown;
      away = true;
      status = unreachable(thrown, { name, store: store.place, copy: target.place });
    }
    yield status;
    await delay(Math.max(LOOK_EVERY_MS, tookMs * SHARE_OF_TIME));
  }
}
