import { protoMilliseconds, type ProtoTime } from './explain/timestamp.js';

/** A worker whose process a signal or a debugger has stopped: Temporal counts it as alive for as long as its last poll counts. */
export interface FrozenWorker {
  /** As Temporal has it: `4203@host`. */
  readonly identity: string;
  /** Tells whether it takes work of this task queue once it continues. */
  serves(taskQueue: string): boolean;
}

/** Gives the frozen workers, as far as they are known: those of the stack on this machine. */
export type FrozenWorkers = () => Promise<readonly FrozenWorker[]>;

export const NONE_FROZEN: FrozenWorkers = () => Promise.resolve([]);

/** A worker that waits for work asks anew each minute. */
const ASKS_WITHIN_MS = 70_000;

interface Poller {
  readonly identity?: string | null;
  readonly lastAccessTime?: ProtoTime | null;
}

/** Gives those who have polled a task queue recently enough to be alive, without frozen ones, and the frozen ones. */
export async function livingPollers<P extends Poller>(
  taskQueue: string,
  pollers: readonly P[] | null | undefined,
  frozenWorkers: FrozenWorkers,
): Promise<{ readonly alive: readonly P[]; readonly frozen: readonly string[] }> {
  const known = await frozenWorkers();
  const since = Date.now() - ASKS_WITHIN_MS;
  const recent = (pollers ?? []).filter(({ lastAccessTime }) => (protoMilliseconds(lastAccessTime) ?? 0) > since);
  return {
    alive: recent.filter((each) => !known.some(({ identity }) => identity === each.identity)),
    frozen: known.filter((worker) => worker.serves(taskQueue)).map(({ identity }) => identity),
  };
}
