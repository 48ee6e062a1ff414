import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from './problem.js';

/**
 * What is given within some milliseconds.
 * @throws ProblemError 503 when it is not; it may yet be carried out
 */
export async function answeredWithin<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = delay(milliseconds, undefined, { signal: answered.signal }).then(
    () => {
      const message =
        `There was no answer within ${milliseconds / 1000} s: no worker may be up. What was asked may yet be carried ` +
        `out; ask again with the same Idempotency-Key to find out.`;
      throw new ProblemError(503, 'no_worker', message, {}, { 'Retry-After': '5' });
    },
    () => undefined,
  );
  try {
    return (await Promise.race([asked, late])) as T;
  } finally {
    answered.abort();
    asked.catch(() => undefined);
  }
}
