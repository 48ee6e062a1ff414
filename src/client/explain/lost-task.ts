import { frozenWords } from './frozen-words.js';
import type { PendingTask } from './pending-task.js';

/** Tells whether a worker has run it and failed. One that times out says nothing of its code: a worker is busy, frozen or gone. */
export function failsInCode({ cause }: Pick<PendingTask, 'cause'>): boolean {
  return cause !== undefined && cause !== 'timed_out';
}

/**
 * Says that a worker has taken a task and has not completed it in time: nothing has failed.
 * @param frozen the workers of which it is known that they are frozen
 */
export function lostWords(
  { withinMs, worker = 'the one that took it' }: PendingTask,
  frozen: readonly string[] = [],
): string {
  const within = withinMs === undefined ? 'in time' : `within ${withinMs / 1_000} s`;
  return `no worker has finished its task ${within}: ${frozen.includes(worker) ? frozenWords([worker]) : `${worker} is busy, frozen or gone`}`;
}
