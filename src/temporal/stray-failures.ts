import { currentCall, type CurrentCall } from './current-call.js';

/*
 * Failures of providers that no call waits for: a rejection that nobody handles, an exception in a timer or an emitter. Node ends the
 * process for one, with all that is under way in it.
 *
 * stray-failures.1. A stray failure of a provider is told, and nobody ends. S1.5a
 * stray-failures.2. Other stray failures in the process are none of Reeve's: they go to the other listeners, or end the process as without this.
 */

/** Hears of each stray failure. It must not throw. */
export type StrayListener = (thrown: unknown, call: CurrentCall) => void;

const listeners = new Set<StrayListener>();

/** Listens for stray failures of providers in this process. @returns what ends that */
export function hearStrays(listener: StrayListener): () => void {
  if (listeners.size === 0) {
    process.on('unhandledRejection', onRejection);
    process.on('uncaughtException', onException);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
  };
}

function onRejection(reason: unknown): void {
  // Node throws it where nobody listens, so that it is an exception that nobody catches.
  if (!tell(reason) && process.listenerCount('unhandledRejection') === 1) throw reason;
}

function onException(thrown: unknown): void {
  if (tell(thrown) || process.listenerCount('uncaughtException') > 1) return;
  process.off('uncaughtException', onException);
  // Nobody listens any more, so that Node says it in its own way, and ends.
  throw thrown;
}

function tell(thrown: unknown): boolean {
  const call = currentCall();
  if (!call) return false;
  for (const listener of listeners) listener(thrown, call);
  return true;
}
