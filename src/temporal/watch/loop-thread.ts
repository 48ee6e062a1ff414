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

/** After this time without a tick, in milliseconds, the loop is looked at, and again each time. */
const LOOK_AFTER_MS = 1_000;
/** How long it has to have computed by then, in milliseconds: on a busy machine innocent code stands still too. */
const COMPUTED_MS = 300;
/** After which time it is looked at in any case, in milliseconds: code may wait without giving way. */
const IN_ANY_CASE_MS = 10_000;
/** After which time standard error is told, in milliseconds. */
const SAY_AFTER_MS = 20_000;
const STANDARD_ERROR = 2;

const { memory, port } = workerData as LoopThreadData;
const ticks = new Int32Array(memory);
const computed = () => cpuTime(process.pid);

let tick = -1;
let [since, computedBefore, looked] = [0, 0, 0];
let hold: Hold | undefined;
let said = false;
setInterval(() => {
  const now = performance.now();
  const latest = Atomics.load(ticks, 0);
  if (latest !== tick) {
    if (hold) port.postMessage({ ...hold, ms: now - since, isOver: true } satisfies Hold);
    [tick, since, computedBefore, looked] = [latest, now, computed(), now];
    [hold, said] = [undefined, false];
    return;
  }
  if (hold && !said && now - since >= SAY_AFTER_MS) {
    said = true;
    writeSync(STANDARD_ERROR, `A provider holds up its whole worker: ${JSON.stringify(hold)}\n`);
  }
  if (now - looked < LOOK_AFTER_MS) return;
  if (computed() - computedBefore < COMPUTED_MS && now - since < IN_ANY_CASE_MS) return;
  looked = now;
  lookAtMain((call, at) => {
    if (!call) return;
    hold = { call: call as CurrentCall, at, ms: performance.now() - since, isOver: false };
    port.postMessage(hold);
  });
}, TICK_MS);
