import { setTimeout as delay } from 'node:timers/promises';

/** The shortest and the longest pause between two checks, in milliseconds. */
const SHORTEST_MS = 20;
const LONGEST_MS = 500;
/** Which part of the time that has passed a pause takes: most checks ask a service, and a question costs more than a wait. */
const PART = 1 / 4;

/** Waits until a check passes; after the time is over, its last failure is the test's. */
export async function until<T>(check: () => Promise<T>, withinMs = 180_000): Promise<T> {
  const begun = Date.now();
  for (;;) {
    try {
      return await check();
    } catch (thrown) {
      if (Date.now() - begun > withinMs) throw thrown;
    }
    await delay(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (Date.now() - begun) * PART)));
  }
}
