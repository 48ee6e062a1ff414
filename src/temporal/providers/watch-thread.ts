/*
 * A thread beside the code of providers. While that keeps its thread busy, it tells the worker which call it is, and where: V8's debugger
 * can look into code that never gives way. It also ends the process when its worker is gone, which busy code would not notice.
 */
import { writeSync } from 'node:fs';
import { Session, type Debugger } from 'node:inspector';
import { basename } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { Sighting } from './messages.js';
import { CURRENT_CALL, SIGHT_PIPE, TICK_MS } from './sight.js';

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
    look();
  }
}, TICK_MS);

function look(): void {
  const session = new Session();
  session.connectToMainThread();
  // A frame names its script by a number.
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.once('Debugger.paused', ({ params: { callFrames } }) => {
    const [top] = callFrames;
    if (!top) return session.disconnect();
    const question = { callFrameId: top.callFrameId, expression: `${CURRENT_CALL}()`, returnByValue: true };
    session.post('Debugger.evaluateOnCallFrame', question, (_, answer?: Debugger.EvaluateOnCallFrameReturnType) => {
      const id: unknown = answer?.result.value;
      if (typeof id === 'number') tell({ id, at: placeOf(top, urls) });
      session.post('Debugger.resume', () => session.post('Debugger.disable', () => session.disconnect()));
    });
  });
  session.post('Debugger.enable', () => session.post('Debugger.pause'));
}

function placeOf({ functionName, location }: Debugger.CallFrame, urls: ReadonlyMap<string, string>): string {
  const file = basename(urls.get(location.scriptId) ?? '');
  return `${functionName || 'a function'} (${file}:${location.lineNumber + 1})`;
}

function tell(sighting: Sighting): void {
  writeSync(SIGHT_PIPE, `${JSON.stringify(sighting)}\n`);
}
