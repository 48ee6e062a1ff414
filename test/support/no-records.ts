import { NOTHING_KNOWN } from '../../src/protocol/past-request.js';
import type { RecordDriver } from '../../src/recording/driver.js';

/** The way to no store. */
export const noRecords: RecordDriver = {
  offer: () => undefined,
  confirm: async () => [],
  keep: async () => true,
  recall: async () => NOTHING_KNOWN,
  handOn: async () => undefined,
};
