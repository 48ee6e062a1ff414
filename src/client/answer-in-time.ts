import type { Client } from '@temporalio/client';
import { Rejected } from '../protocol/errors.js';
import { hasNoAnswer } from './no-answer.js';

/** How long Temporal and a worker may take to answer a read, in milliseconds. */
const ANSWERS_WITHIN_MS = 5_000;

/** The answer of Temporal, if it comes in time. `about` names what was asked for. @throws Rejected `no_answer` */
export async function answerInTime<T>(
  client: Client,
  about: string,
  ask: () => Promise<T>,
  withinMs = ANSWERS_WITHIN_MS,
): Promise<T> {
  try {
    return await client.withDeadline(Date.now() + withinMs, ask);
  } catch (thrown) {
    if (!hasNoAnswer(thrown)) throw thrown;
    const message =
      `There is no answer from ${about}: no worker is up, its task fails, or Temporal is unavailable. ` +
      `'reeve explain' shows the reason. Try again when that is fixed.`;
    throw new Rejected({ code: 'no_answer', message, entity: about, event: '' });
  }
}
