import type { WorkflowHandle } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { AHEAD_OF_HISTORY } from '../protocol/names.js';

/** After this time, in milliseconds, the task in which something is due is on its way. */
const AGAIN_AFTER_MS = 20;
const MOST_TRIES = 100;

/** Queries a workflow. One that is about to do something is asked again. */
export async function ask<T>(handle: WorkflowHandle, query: string, ...args: readonly unknown[]): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await handle.query<T, unknown[]>(query, ...args);
    } catch (thrown) {
      const ahead = thrown instanceof Error && thrown.message.includes(AHEAD_OF_HISTORY);
      if (!ahead || tries >= MOST_TRIES) throw thrown;
    }
    await delay(AGAIN_AFTER_MS);
  }
}
