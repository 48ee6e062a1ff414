/*
 * A thread beside the code of providers. While that keeps its thread busy, it tells the worker which call it is, and where. It also ends
 * the process when its worker is gone, which busy code would not notice.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { lookAtMain, TICK_MS } from '../watch/look-at-main.js';
import type { Sighting } from './messages.js';
import { SIGHT_PIPE } from './sight.js';

const { memory, parent } = workerData as { readonly memory: SharedArrayBuffer; readonly parent: number };
const ticks = new Int32Array(memory);
/** After this time without a tick, in milliseconds, it is looked at, and again each time. */
const LOOK_AFTER_MS = 1_000;

let seen = -1;
let since = performance.now();
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  const now = Atomics.load(ticks, 0);
  if (now !== seen) [seen, since] = [now, performance.now()];
  else if (performance.now() - since >= LOOK_AFTER_MS) {
    since = performance.now();
    lookAtMain((id, at) => {
      if (typeof id === 'number') tell({ id, at });
    });
  }
}, TICK_MS);

function tell(sighting: Sighting): void {
  writeSync(SIGHT_PIPE, `${JSON.stringify(sighting)}\n`);
}
