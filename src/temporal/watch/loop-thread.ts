/*
 * A thread beside the event loop of a worker. While a call of a resource holds that up, it notes which one it is, and where. Where that
 * takes long, it says so on standard error: the worker's own log cannot.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { CurrentCall } from '../current-call.js';
import { cpuTime } from './cpu-time.js';
import type { Hold, LoopThreadData } from './loop-watch.js';
import { lookAtMain, TICK_MS } from './look-at-main.js';
import { Standstill } from './standstill.js';

/** After which time standard error is told, in milliseconds. */
const SAY_AFTER_MS = 20_000;
const STANDARD_ERROR = 2;

const { memory, port } = workerData as LoopThreadData;
const ticks = new Int32Array(memory);

const standstill = new Standstill(() => cpuTime(process.pid));
let hold: Hold | undefined;
let said = false;
setInterval(() => {
  const now = performance.now();
  const ms = standstill.lastsMs(now);
  if (standstill.note(Atomics.load(ticks, 0), now)) {
    if (hold) port.postMessage({ ...hold, ms, isOver: true } satisfies Hold);
    [hold, said] = [undefined, false];
    return;
  }
  if (hold && !said && ms >= SAY_AFTER_MS) {
    said = true;
    writeSync(STANDARD_ERROR, `A provider holds up its whole worker: ${JSON.stringify(hold)}\n`);
  }
  if (!standstill.mayLook(now)) return;
  lookAtMain(
    (call, at) => {
      if (!call) return;
      hold = { call: call as CurrentCall, at, ms: standstill.lastsMs(performance.now()), isOver: false };
      port.postMessage(hold);
    },
    () => standstill.looked(performance.now()),
  );
}, TICK_MS);
