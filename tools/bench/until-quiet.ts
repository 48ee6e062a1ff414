import { setTimeout as delay } from 'node:timers/promises';
import type { BenchWorker } from './worker.js';

const LOOK_EVERY_MS = 2_000;
/** A share of the time. A worker that is busy for less has nothing to do. */
const BUSY = 0.05;

/** Waits until the rollovers of the entities that have come to rest are over. */
export async function untilQuiet(worker: BenchWorker): Promise<void> {
  for (;;) {
    const before = await worker.cpuMs();
    await delay(LOOK_EVERY_MS);
    if ((await worker.cpuMs()) - before < LOOK_EVERY_MS * BUSY) return;
  }
}
