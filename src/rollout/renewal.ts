import { setTimeout as delay } from 'node:timers/promises';
import { idsOf, type Fleet } from './fleet.js';
import type { Waker } from './wake.js';

/** How often it looks, in milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** One that could not go on when it was woken is woken again after this time. */
const AGAIN_AFTER_MS = 10_000;

export interface Renewal {
  readonly fleet: Fleet;
  readonly waker: Waker;
  /** Tells whether it waits for those that cannot go on in a new run now: their actions run, or they hold reservations. */
  readonly waits: boolean;
  readonly report: (progress: { readonly left: number; readonly woken: number }) => void;
  readonly stop?: AbortSignal;
}

/**
 * Lets all that runs go on in new runs, so that nothing needs any more what was written before. Q5
 * @param before only runs that began earlier, in milliseconds since 1970
 * @returns how many such runs are left
 */
export async function renewRuns(before: number, { fleet, waker, waits, report, stop }: Renewal): Promise<number> {
  const signal = stop ?? new AbortController().signal;
  for (;;) {
    const left = await idsOf(fleet.startedBefore(before));
    report({ left: left.length, woken: waker.woken });
    const fresh = left.some((id) => waker.isNew(id));
    if (left.length === 0 || signal.aborted || (!waits && !fresh)) return left.length;
    await waker.wake(left, AGAIN_AFTER_MS, signal);
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
