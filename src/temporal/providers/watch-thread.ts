/*
 * A thread beside the code of providers. While that keeps its thread busy, it tells the worker which call it is, and where. It also ends
 * the process when its worker is gone, which busy code would not notice.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { lookAtMain, TICK_MS } from '../watch/look-at-main.js';
import { Standstill } from '../watch/standstill.js';
import type { Sighting } from './messages.js';
import { SIGHT_PIPE } from './sight.js';

const { memory, parent } = workerData as { readonly memory: SharedArrayBuffer; readonly parent: number };
const ticks = new Int32Array(memory);
const standstill = new Standstill();
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  const now = performance.now();
  if (standstill.note(Atomics.load(ticks, 0), now) || !standstill.mayLook(now)) return;
  lookAtMain(
    (id, at) => {
      if (typeof id === 'number') tell({ id, at });
    },
    () => standstill.looked(performance.now()),
  );
}, TICK_MS);

function tell(sighting: Sighting): void {
  writeSync(SIGHT_PIPE, `${JSON.stringify(sighting)}\n`);
}
