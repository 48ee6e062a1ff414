import { asDeclared } from '../definition/duration.js';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from './problem.js';

/**
 * Gives what `asked` gives, if it does so within the time.
 * @throws ProblemError 503 when it does not; what was asked may still be carried out
 */
export async function answeredWithin<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = delay(milliseconds, undefined, { signal: answered.signal }).then(
    () => {
      const message =
        `There was no answer within ${asDeclared(milliseconds)}. The entity may be busy, its task may be failing, or no worker may ` +
        'be up: see its explanation. The request may still be carried out. Repeat it with the same Idempotency-Key.';
      throw new ProblemError('no_answer', message, {}, { 'Retry-After': '5' });
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
