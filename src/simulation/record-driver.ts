import type { RecordDriver } from '../recording/driver.js';
import type { Instance } from './instance.js';

/** The way from a workflow in memory to the store in memory. */
export function recordDriver(instance: Instance): RecordDriver {
  return {
    offer: (records) => instance.tell('offer', records),
    keep: async (records) => (await instance.command('keep', records)) as boolean,
    handOn: async (records) => void (await instance.command('hand on', records)),
  };
}
