import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a check passes; after the time is over, its last failure is the test's. */
export async function until<T>(check: () => Promise<T>, withinMs = 180_000): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (thrown) {
      if (Date.now() > end) throw thrown;
    }
    await delay(50);
  }
}
