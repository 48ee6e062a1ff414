/*
 * `reeve/store`: PostgreSQL that keeps what happened. `reeve store migrate` and `reeve worker` use nothing else. S5
 */
export {
  createDatabase,
  retentionFrom,
  openStore,
  readerLogin,
  rebuild,
  type Retention,
  type Rebuilt,
  type Store,
  type StoreOptions,
  type StoreReader,
  type StoreViews,
  type StoreWriter,
} from '../store/index.js';
export type { RecordKeeper } from '../temporal/record-keeper.js';
