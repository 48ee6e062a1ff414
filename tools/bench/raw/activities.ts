import { setTimeout as delay } from 'node:timers/promises';
import { REPAIR_MS } from '../side.js';

interface Probed {
  readonly valve: string;
}

/** Does the same work as the resource `gauge`. */
export const rawActivities = {
  probe: async ({ valve }: Probed) => ({ value: valve.length }),
  overhaul: async ({ valve }: Probed) => ({ value: valve.length }),
  repair: async ({ valve }: Probed) => delay(REPAIR_MS, { value: valve.length }),
};

export type RawActivities = typeof rawActivities;
