import type { Client } from '@temporalio/client';
import { protoMilliseconds } from './timestamp.js';

/** What waits in a task queue: steps of workflows, or calls of resources. */
export type Work = 'steps' | 'calls';

/** A task queue with work that no worker takes, or not soon. All times are milliseconds since 1970. */
export interface StarvedQueue {
  readonly taskQueue: string;
  readonly work: Work;
  /** How many wait, about. Not told to those who may not see whose they are, and neither is the next. */
  readonly waiting?: number;
  /** How long the oldest has waited, in milliseconds. */
  readonly oldestMs?: number;
  /** Workers that have asked for work within the time in which a living one asks again. */
  readonly workers: number;
  /** A worker was asked about a workflow, and none has answered. */
  readonly silent: boolean;
  /** When a worker last asked for work; the service forgets it after some minutes. */
  readonly lastAskedAt?: number;
}

// temporal.api.enums.v1.TaskQueueType: the client has no names for them.
const TYPES = { steps: 1, calls: 2 } as const;
/** A worker that waits for work asks anew each minute. */
const ASKS_WITHIN_MS = 70_000;
/** What waits for less is on its way. */
const NOTABLE_MS = 10_000;

/** How the task queues are served. */
export class TaskQueues {
  readonly #client: Client;
  readonly #asked = new Set<string>();
  /** No worker has answered for it. */
  readonly #silent = new Set<string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Whether it is of use to ask a worker about a workflow. */
  answers(taskQueue: string): boolean {
    this.#asked.add(taskQueue);
    return !this.#silent.has(taskQueue);
  }

  /** A worker was asked in vain. */
  noteSilence(taskQueue: string): void {
    this.#silent.add(taskQueue);
  }

  /** Those whose work nobody takes, or not soon: of the queues that were asked, and of those in which calls wait. */
  async starved(queued: Iterable<string>): Promise<readonly StarvedQueue[]> {
    const queues = await Promise.all([
      ...[...this.#asked].map((taskQueue) => this.#describe(taskQueue, 'steps')),
      ...[...new Set(queued)].map((taskQueue) => this.#describe(taskQueue, 'calls')),
    ]);
    return queues.filter(({ work, workers, silent, waiting, oldestMs }) => {
      if (work === 'steps' && silent) return true;
      // Workers of steps have answered. The service may not know of all workers that ask.
      const unserved = silent || (work === 'calls' && workers === 0);
      return waiting > 0 && (unserved || oldestMs > NOTABLE_MS);
    });
  }

  async #describe(
    taskQueue: string,
    work: Work,
  ): Promise<Required<Pick<StarvedQueue, 'waiting' | 'oldestMs'>> & StarvedQueue> {
    const { pollers, stats } = await this.#client.workflowService.describeTaskQueue({
      namespace: this.#client.options.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: TYPES[work],
      reportStats: true,
    });
    const asked = (pollers ?? []).flatMap(({ lastAccessTime }) => protoMilliseconds(lastAccessTime) ?? []);
    const recent = asked.filter((at) => at > Date.now() - ASKS_WITHIN_MS);
    return {
      taskQueue,
      work,
      waiting: Number(stats?.approximateBacklogCount ?? 0),
      oldestMs: protoMilliseconds(stats?.approximateBacklogAge) ?? 0,
      workers: recent.length,
      silent: this.#silent.has(taskQueue),
      ...(asked.length > 0 && { lastAskedAt: Math.max(...asked) }),
    };
  }
}
