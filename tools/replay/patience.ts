import { WorkflowUpdateFailedError } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { isTemporalAway } from '../../src/client/no-answer.js';
import { Rejected } from '../../src/protocol/errors.js';

/** How long anything may take while workers come and go, in milliseconds. */
export const PATIENCE_MS = 600_000;
const AGAIN_AFTER_MS = 300;

/** Asks until there is an answer, since no worker may be there for a moment. @throws the last failure, after the time */
export async function patiently<T>(what: string, ask: () => Promise<T>, withinMs = PATIENCE_MS): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await inTime(what, ask, until - Date.now());
    } catch (thrown) {
      if (!passes(thrown) || Date.now() >= until) throw thrown;
      await delay(AGAIN_AFTER_MS);
    }
  }
}

async function inTime<T>(what: string, ask: () => Promise<T>, ms: number): Promise<T> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`${what}: no answer`);
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

/** Tells whether a failure may pass in a moment. */
function passes(thrown: unknown): boolean {
  if (thrown instanceof Rejected) return ['no_answer', 'absent', 'try_again'].includes(thrown.code);
  return isTemporalAway(thrown) || thrown instanceof WorkflowUpdateFailedError;
}
