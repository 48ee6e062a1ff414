import { setTimeout as delay } from 'node:timers/promises';
import type { DistributedOperations } from '../../src/client/distributed.js';
import type { InstanceRef } from '../../src/distributed/index.js';

const LOOK_MS = 250;

/**
 * Tells how far the estimated end of an operation was off when a part of its work was done, as a part of the time that it
 * took. It waits for the end.
 */
export async function estimateOff(distributed: DistributedOperations, ref: InstanceRef, part: number): Promise<number> {
  for (;;) {
    const { done, estimatedEnd } = await distributed.read(ref);
    if (done >= part && estimatedEnd !== undefined) {
      const { startedAt, endedAt } = await distributed.result(ref);
      return Math.abs(estimatedEnd - endedAt!) / (endedAt! - startedAt);
    }
    if (done === 1) throw new Error('It was over before anybody has looked.');
    await delay(LOOK_MS);
  }
}
