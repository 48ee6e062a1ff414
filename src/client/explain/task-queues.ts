import type { Client } from '@temporalio/client';
import { livingPollers, type FrozenWorkers } from '../frozen-workers.js';
import { protoMilliseconds } from './timestamp.js';

/** The work that waits in a task queue: tasks of workflows (`steps`), or calls of resources. */
export type Work = 'steps' | 'calls';

/** A task queue with work that no worker takes, or takes late. All times are milliseconds since 1970. */
export interface StarvedQueue {
  readonly taskQueue: string;
  readonly work: Work;
  /** About how many wait. This and `oldestMs` are hidden from callers who may not see whose work it is. */
  readonly waiting?: number;
  /** How long the oldest has waited, in milliseconds. */
  readonly oldestMs?: number;
  /** How many workers have asked for work recently enough to be alive, without frozen ones. */
  readonly workers: number;
  /** The identities of its workers whose processes are frozen, where there are any. */
  readonly frozen?: readonly string[];
  /** Tells whether a workflow was queried and no worker has answered. */
  readonly silent: boolean;
  /** When a worker last asked for work; the service forgets it after some minutes. */
  readonly lastAskedAt?: number;
}

/** A task queue, as Temporal counts what waits in it. */
export type QueueState = Required<Pick<StarvedQueue, 'waiting' | 'oldestMs'>> & StarvedQueue;

// temporal.api.enums.v1.TaskQueueType: the client has no names for them.
const TYPES = { steps: 1, calls: 2 } as const;
/** Work that has waited for less time is on its way. */
const NOTABLE_MS = 10_000;

/** Tells whether no worker takes the work of a queue, even if a worker that has ended meanwhile still counts as alive. */
export function isUnservedQueue({ workers, waiting, oldestMs }: QueueState): boolean {
  return workers === 0 || (waiting > 0 && oldestMs > NOTABLE_MS);
}

/** How the task queues are served. */
export class TaskQueues {
  readonly #client: Client;
  readonly #frozen: FrozenWorkers;
  readonly #asked = new Set<string>();
  /** The queues for which no worker has answered. */
  readonly #silent = new Set<string>();
  /** The queues in which a workflow waits for workers of its build. */
  readonly #pinned = new Set<string>();

  constructor(client: Client, frozen: FrozenWorkers) {
    this.#client = client;
    this.#frozen = frozen;
  }

  /** Tells whether it makes sense to query a workflow on this queue. */
  answers(taskQueue: string): boolean {
    this.#asked.add(taskQueue);
    return !this.#silent.has(taskQueue);
  }

  /** Notes that no worker has answered on a queue. */
  noteSilence(taskQueue: string): void {
    this.#silent.add(taskQueue);
  }

  /** Notes that no worker of its build serves a workflow on a queue: a frozen one may. */
  notePinned(taskQueue: string): void {
    this.#pinned.add(taskQueue);
  }

  /** The queues with work that no worker takes, or takes late: among those that were asked, and those in which calls wait. */
  async starved(queued: Iterable<string>): Promise<readonly StarvedQueue[]> {
    const queues = await Promise.all([
      ...[...new Set([...this.#asked, ...this.#pinned])].map((taskQueue) => this.describe(taskQueue, 'steps')),
      ...[...new Set(queued)].map((taskQueue) => this.describe(taskQueue, 'calls')),
    ]);
    return queues.filter(({ taskQueue, work, workers, frozen, silent, waiting, oldestMs }) => {
      if (frozen && (workers === 0 || this.#pinned.has(taskQueue))) return true;
      if (!this.#asked.has(taskQueue) && work === 'steps') return false;
      if (work === 'steps' && silent) return true;
      // Workers that take tasks have answered, even if the service does not know all workers that ask.
      const unserved = silent || (work === 'calls' && workers === 0);
      return waiting > 0 && (unserved || oldestMs > NOTABLE_MS);
    });
  }

  /** Asks Temporal what waits in a queue, and who asks for it. */
  async describe(taskQueue: string, work: Work): Promise<QueueState> {
    const { pollers, stats } = await this.#client.workflowService.describeTaskQueue({
      namespace: this.#client.options.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: TYPES[work],
      reportStats: true,
    });
    const asked = (pollers ?? []).flatMap(({ lastAccessTime }) => protoMilliseconds(lastAccessTime) ?? []);
    const { alive, frozen } = await livingPollers(taskQueue, pollers, this.#frozen);
    return {
      taskQueue,
      work,
      waiting: Number(stats?.approximateBacklogCount ?? 0),
      oldestMs: protoMilliseconds(stats?.approximateBacklogAge) ?? 0,
      workers: alive.length,
      ...(frozen.length > 0 && { frozen }),
      silent: this.#silent.has(taskQueue),
      ...(asked.length > 0 && { lastAskedAt: Math.max(...asked) }),
    };
  }
}
