import { setTimeout as delay } from 'node:timers/promises';
import { RESTED_MS } from '../rested.js';
import type { BenchWorker } from './worker.js';

const LOOK_EVERY_MS = 2_000;
/** A share of the time. A worker that is busy for less has nothing to do. */
const BUSY = 0.05;

/** Waits until all entities that have come to rest are in new runs. */
export async function untilRested(worker: BenchWorker): Promise<void> {
  await delay(RESTED_MS);
  await untilQuiet(worker);
}

/** Waits until the worker has next to nothing to do. */
async function untilQuiet(worker: BenchWorker): Promise<void> {
  for (;;) {
    const before = await worker.cpuMs();
    await delay(LOOK_EVERY_MS);
    if ((await worker.cpuMs()) - before < LOOK_EVERY_MS * BUSY) return;
  }
}
