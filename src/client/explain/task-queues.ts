import type { Client } from '@temporalio/client';
import { protoMilliseconds } from './timestamp.js';

/** What waits in a task queue: steps of workflows, or calls of resources. */
export type Work = 'steps' | 'calls';

/** A task queue with work that no worker takes, or not soon. All times are milliseconds since 1970. */
export interface StarvedQueue {
  readonly taskQueue: string;
  readonly work: Work;
  /** How many wait, about. */
  readonly waiting: number;
  /** How long the oldest has waited, in milliseconds. */
  readonly oldestMs: number;
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

/** How the task queues are served: each is looked at once. */
export class TaskQueues {
  readonly #client: Client;
  readonly #known = new Map<string, Promise<Omit<StarvedQueue, 'silent'>>>();
  /** No worker has answered for it. */
  readonly #silent = new Set<string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Whether it is of use to ask a worker about a workflow. */
  async answers(taskQueue: string): Promise<boolean> {
    if (this.#silent.has(taskQueue)) return false;
    const { workers } = await this.#look(taskQueue, 'steps');
    if (workers === 0) this.#silent.add(taskQueue);
    return workers > 0;
  }

  /** A worker was asked in vain. */
  noteSilence(taskQueue: string): void {
    this.#silent.add(taskQueue);
  }

  /** Of the queues that were looked at, those whose work nobody takes. */
  async starved(calls: Iterable<string>): Promise<readonly StarvedQueue[]> {
    const looks = [...this.#known.values(), ...[...new Set(calls)].map((queue) => this.#look(queue, 'calls'))];
    const queues = [...new Set(await Promise.all(looks))];
    return queues
      .map((queue): StarvedQueue => ({ ...queue, silent: this.#silent.has(queue.taskQueue) }))
      .filter(({ work, workers, silent, waiting, oldestMs }) => {
        const late = waiting > 0 && (silent || oldestMs > NOTABLE_MS);
        return workers === 0 || late || (silent && work === 'steps');
      });
  }

  #look(taskQueue: string, work: Work): Promise<Omit<StarvedQueue, 'silent'>> {
    const name = `${work} ${taskQueue}`;
    const look = this.#known.get(name) ?? this.#describe(taskQueue, work);
    this.#known.set(name, look);
    return look;
  }

  async #describe(taskQueue: string, work: Work): Promise<Omit<StarvedQueue, 'silent'>> {
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
      ...(asked.length > 0 && { lastAskedAt: Math.max(...asked) }),
    };
  }
}
