import type { Recollection } from '../protocol/past-request.js';
import type { RecordAmounts, RecordDriver } from '../recording/driver.js';
import type { Instance } from './instance.js';

/** The limits are small, so that simulations reach them. */
const AMOUNTS: RecordAmounts = { few: 3, many: 12, asked: 5, most: 40 };

/** The way from a workflow in memory to the store in memory. */
export function recordDriver(instance: Instance): RecordDriver {
  return {
    offer: (records) => instance.tell('offer', records),
    confirm: async (names) => (await instance.command('confirm', names)) as readonly string[] | undefined,
    keep: async (records) => (await instance.command('keep', records)) as boolean,
    recall: async (of, ids) => (await instance.command('recall', { of, ids })) as Recollection | undefined,
    handOn: async (records) => void (await instance.command('hand on', records)),
    amounts: AMOUNTS,
  };
}
