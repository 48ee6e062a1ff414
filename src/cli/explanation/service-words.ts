import { colours as pc } from '../colours.js';
import type { PendingCall } from '../../client/explain/execution.js';
import type { LastTask } from '../../client/explain/last-task.js';
import { frozenWords } from '../../client/explain/frozen-words.js';
import { lostWords } from '../../client/explain/lost-task.js';
import type { PendingTask } from '../../client/explain/pending-task.js';
import type { StarvedQueue } from '../../client/explain/task-queues.js';
import { counted } from '../counted.js';
import { ahead, inWords, lasting } from './time-words.js';

/** A call of a resource that has not been answered. */
export function callLine(call: PendingCall, now: number): string {
  return [
    `waits for ${call.call}`,
    stateWords(call, now),
    ...(call.lastFailure ? [pc.yellow(call.lastFailure)] : []),
  ].join(', ');
}

function stateWords(call: PendingCall, now: number): string {
  const { state, attempt, taskQueue, since, startedAt = since, heartbeatAt, nextAttemptAt = now, worker } = call;
  const isUnderWay = state === 'running' || state === 'canceling';
  const before = worker === undefined || isUnderWay ? '' : `, on ${worker},`;
  const again = attempt > 1 ? `, execution ${attempt} since the one before${before} gave no answer` : '';
  const here = worker === undefined ? '' : ` on ${worker}`;
  switch (state) {
    case 'queued':
      return `queued in ${taskQueue} ${lasting(since, now)}: no worker has taken it${again}`;
    case 'running': {
      const beat = heartbeatAt === undefined ? '' : `, heartbeat ${inWords(now - heartbeatAt)} ago`;
      return `running${here} ${lasting(startedAt, now)}${beat}${again}`;
    }
    case 'retrying':
      return `made again ${ahead(nextAttemptAt, now)}${again}`;
    case 'canceling':
      return `being canceled${here}, begun ${inWords(now - startedAt)} ago`;
    case 'paused':
      return `paused by an operator, queued ${inWords(now - since)} ago`;
  }
}

/** Which worker has run a workflow last, and on which build: `4203@host, of build 'b7'`. */
export function runnerWords({ worker = 'an unnamed worker', build }: LastTask): string {
  return build === undefined ? worker : `${worker}, of build '${build}'`;
}

/** A task of a workflow that does not get on. */
export function taskLines(task: PendingTask, now: number): readonly string[] {
  const { attempt, since, started, remedy } = task;
  if (attempt > 1)
    return [pc.red(failureWords(task, now)), ...(remedy === undefined ? [] : [pc.yellow(`  ${remedy}`)])];
  return [`its next step ${started ? 'is under way' : 'waits for a worker'} ${lasting(since, now)}`];
}

/** That a task fails, since when, how often and why. */
export function failureWords(task: PendingTask, now: number): string {
  const { attempt, since, failure } = task;
  const often = `${counted(attempt - 1, 'time')} ${lasting(since, now)}`;
  if (task.cause === 'timed_out') return `${lostWords(task)} (${often})`;
  return `its task has failed ${often}: ${failure ?? 'the log of its worker shows why'}`;
}

/** Work that no worker takes, or takes late. */
export function queueLine(queue: StarvedQueue, now: number): string {
  const { taskQueue, work, waiting = 0, oldestMs = 0, lastAskedAt, frozen } = queue;
  const what = work === 'steps' ? 'workflow tasks' : 'calls';
  const who = whoWords(queue);
  const parts = [
    ...(waiting > 0 ? [`${waiting} ${what} waiting, the oldest ${lasting(now - oldestMs, now)}`] : []),
    frozen
      ? frozenWords(frozen)
      : lastAskedAt === undefined
        ? `none has asked for ${what} lately`
        : `one last asked for ${what} ${inWords(now - lastAskedAt)} ago`,
  ];
  return pc.red(`${who} the task queue ${taskQueue}: ${parts.join('; ')}`);
}

function whoWords({ work, workers, silent, frozen }: StarvedQueue): string {
  if (frozen) return workers === 0 ? 'no worker serves' : 'not all workers serve';
  if (workers === 0 && (silent || work === 'calls')) return 'no worker serves';
  return silent ? 'no worker answers on' : 'the workers do not keep up with';
}
