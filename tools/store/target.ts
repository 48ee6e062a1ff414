import { join } from 'node:path';
import { dataDirectoryFrom } from '../../src/stack/data-directory.js';
import { ensurePostgres, stopPostgres } from '../../src/stack/postgres.js';
import { createDatabase, openStore, type Store } from '../../src/store/index.js';
import { DIMENSIONS } from './past.js';

/** Does work with the store that a command names, or with one of its own, which runs only until the work ends. */
export async function withStore(url: string | undefined, work: (store: Store, url: string) => Promise<void>) {
  const folder = join(dataDirectoryFrom(), 'store-measure');
  const target = url ?? (await ensurePostgres(folder)).url('reeve');
  const store = openStore({ url: target, dimensions: DIMENSIONS, warn: console.error });
  try {
    await createDatabase(target);
    await store.migrate();
    await work(store, target);
  } finally {
    await store.close();
    if (url === undefined) await stopPostgres(folder);
  }
}
