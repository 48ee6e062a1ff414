import { setTimeout as delay } from 'node:timers/promises';
import { REPAIR_MS } from '../side.js';

interface Probed {
  readonly valve: string;
}

/** The same work as that of the resource `gauge`. */
export const rawActivities = {
  probe: async ({ valve }: Probed) => ({ value: valve.length }),
  overhaul: async ({ valve }: Probed) => ({ value: valve.length }),
  repair: async ({ valve }: Probed) => delay(REPAIR_MS, { value: valve.length }),
};

export type RawActivities = typeof rawActivities;
