import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** A call that was timed: when it began, in milliseconds since 1970, and how long it took, in milliseconds. */
export interface Timed {
  readonly startedAt: number;
  readonly ms: number;
}

export async function timed(call: () => Promise<unknown>): Promise<Timed> {
  const startedAt = Date.now();
  const from = performance.now();
  await call();
  return { startedAt, ms: performance.now() - from };
}

export async function oneAfterAnother(times: number, call: (index: number) => Promise<unknown>): Promise<Timed[]> {
  const all: Timed[] = [];
  for (let index = 0; index < times; index++) all.push(await timed(() => call(index)));
  return all;
}

/** The calls that many callers have made at the same time. */
export interface Crowd {
  /** The durations of the calls that ended in time, in milliseconds. */
  readonly ms: readonly number[];
  readonly perSecond: number;
  /** The number of all calls, including those that ended later. */
  readonly ended: number;
}

/**
 * Lets many callers call for a time. Each calls again as soon as it has its answer. Calls that are under way at the end do not
 * count for the rate. `whenOver` is called before those calls are waited for.
 */
export async function crowd(
  callers: number,
  forMs: number,
  call: (caller: number) => Promise<unknown>,
  whenOver: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Crowd> {
  const ms: number[] = [];
  let ended = 0;
  let over = false;
  const caller = async (index: number): Promise<void> => {
    while (!over) {
      const startedAt = performance.now();
      try {
        await call(index);
      } catch (thrown) {
        if (!over) throw thrown;
      }
      ended++;
      if (!over) ms.push(performance.now() - startedAt);
    }
  };
  const stop = delay(forMs).then(() => {
    over = true;
    return whenOver();
  });
  await Promise.all([stop, ...Array.from({ length: callers }, (_, index) => caller(index))]);
  return { ms, perSecond: ms.length / (forMs / 1_000), ended };
}
