/*
 * Watches over the event loop of a worker in which code of providers runs. Such code cannot be interrupted, and keeps all entities of the
 * worker waiting while it does not give way.
 *
 * loop-watch.1. The call that holds up the loop is named as soon as the loop is free, and on standard error where that takes long.
 * loop-watch.2. It is known at once when the loop is free, so that the call itself can be judged by it.
 */
import { MessageChannel, receiveMessageOnPort, Worker as Thread, type MessagePort } from 'node:worker_threads';
import { currentCall, type CurrentCall } from '../current-call.js';
import { CURRENT_CALL, TICK_MS } from './look-at-main.js';
import { ownOptions, threadScript } from './thread-script.js';

/** The data with which a loop thread begins. */
export interface LoopThreadData {
  readonly memory: SharedArrayBuffer;
  readonly port: MessagePort;
}

/** A call that holds up the loop. */
export interface Hold {
  readonly call: CurrentCall;
  /** Where its code was seen: `crunch (resources.js:12)`. */
  readonly at: string;
  /** For how long so far, in milliseconds. */
  readonly ms: number;
  readonly isOver: boolean;
}

/** Hears of each hold that is over. It must not throw. */
export type HoldListener = (hold: Hold) => void;

/** How many holds are remembered. Temporal makes a call again soon, or never. */
const MOST_REMEMBERED = 100;

const listeners = new Set<HoldListener>();
/** The latest hold of each activity. */
const holds = new Map<string, Hold>();
let watch: { readonly port: MessagePort; end(): void } | undefined;

/** Listens for calls that hold up this process, from the first one that begins here on. @returns what ends that */
export function hearHolds(listener: HoldListener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    watch?.end();
    watch = undefined;
  };
}

/** Watches from now on, where somebody listens: code of a provider is about to run in this process. */
export function watchLoop(): void {
  if (listeners.size > 0) watch ??= startWatch();
}

/** The latest hold of a call, in this execution or in one before. loop-watch.2 */
export function holdOf({ activityId }: Pick<CurrentCall, 'activityId'>): Hold | undefined {
  for (;;) {
    const received = watch && (receiveMessageOnPort(watch.port) as { readonly message: Hold } | undefined);
    if (!received) return holds.get(activityId);
    note(received.message);
  }
}

function note(hold: Hold): void {
  const { activityId } = hold.call;
  holds.delete(activityId);
  holds.set(activityId, hold);
  const [oldest] = holds.keys();
  if (holds.size > MOST_REMEMBERED) holds.delete(oldest!);
  if (hold.isOver) for (const listener of listeners) listener(hold);
}

function startWatch() {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const ticks = new Int32Array(memory);
  const ticking = setInterval(() => Atomics.add(ticks, 0, 1), TICK_MS).unref();
  Object.defineProperty(globalThis, CURRENT_CALL, { value: currentCall, configurable: true });
  const { port1, port2 } = new MessageChannel();
  const workerData: LoopThreadData = { memory, port: port2 };
  const thread = new Thread(threadScript('loop-thread'), { workerData, transferList: [port2], ...ownOptions() });
  thread.unref();
  port1.on('message', note);
  port1.unref();
  return {
    port: port1,
    end: () => {
      clearInterval(ticking);
      port1.close();
      void thread.terminate();
    },
  };
}
