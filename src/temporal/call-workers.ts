import { randomUUID } from 'node:crypto';
import type { DataConverter } from '@temporalio/common';
import type { NativeConnection, Worker, WorkerOptions } from '@temporalio/worker';
import type { Affinity } from '../definition/affinity.js';
import { activityLogAttributes } from './activity-log-attributes.js';
import type { CallEnvelope } from './call-envelope.js';
import { observeCalls, type CallObserver } from './call-observer.js';
import type { CallbackSettings } from './callback-address.js';
import type { CallSurroundings, ImplementedResource } from './resources.js';
import { workerSdk } from './worker-sdk.js';

/** Describes how many calls are made, where the defaults are not right: as many at once as Temporal's worker takes, which is 100. A5 */
export interface CallLimits {
  /** Shows how many calls of the task queue one worker makes at once. */
  readonly atOnce?: number;
  /** Shows how many calls of the task queue all its workers together begin in a second; may be a fraction. */
  readonly perSecond?: number;
}

/** A task queue of calls that the routes of the bundle name. A5 */
export interface ServedQueue extends CallLimits {
  readonly taskQueue: string;
}

/** The calls that a worker makes, and what is told of them. */
export interface Calls {
  readonly resources: readonly ImplementedResource[];
  /** The task queues of calls that it serves, as `routes` of the bundle name them. A5 */
  readonly serves?: readonly ServedQueue[];
  /** Sets whether calls can be bound to this worker (`context.affinity()`). It serves a task queue of its own then. Default false. A5 */
  readonly affinity?: boolean;
  /** Sets how calls are answered from outside; needed where a call of its resources says `answer: 'callback'`. A1 */
  readonly callbacks?: CallbackSettings;
  /** Is told of each resource call. S5.5 */
  readonly calls?: CallObserver;
}

/** All that the workers of one process have in common. */
export interface Surroundings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly dataConverter?: DataConverter | undefined;
  readonly shutdownGraceTime: NonNullable<WorkerOptions['shutdownGraceTime']>;
  readonly shutdownForceTime: NonNullable<WorkerOptions['shutdownForceTime']>;
}

/** Makes the activities of resource calls, and one of Temporal's workers for each task queue that has calls alone. */
export class CallServing {
  readonly #calls: Calls;
  /** The name of this start, which is that of a task queue of its own. */
  readonly #own: Affinity | undefined;

  constructor(calls: Calls) {
    this.#calls = calls;
    this.#own = calls.affinity ? { worker: `reeve/worker/${randomUUID()}` } : undefined;
  }

  /** The activities of all resources, which know the worker that makes them. */
  get activities(): Readonly<Record<string, (envelope: CallEnvelope) => unknown>> {
    const { resources, callbacks } = this.#calls;
    const worker: CallSurroundings = { callbacks, affinity: this.#own };
    const calls = resources.flatMap((resource) => Object.entries(resource));
    return Object.fromEntries(calls.map(([name, run]) => [name, (envelope: CallEnvelope) => run(envelope, worker)]));
  }

  get interceptors() {
    const { calls } = this.#calls;
    return [activityLogAttributes, ...(calls ? [observeCalls(calls)] : [])];
  }

  /** Makes the workers of the task queues that are served, and of that of this start. */
  async workers(around: Surroundings): Promise<readonly Worker[]> {
    const { serves = [] } = this.#calls;
    const queues: readonly ServedQueue[] = this.#own ? [...serves, { taskQueue: this.#own.worker }] : serves;
    const { Worker } = workerSdk();
    return Promise.all(
      queues.map(({ taskQueue, ...limits }) =>
        Worker.create({
          ...{ ...around, taskQueue, ...limitsOf(limits) },
          activities: this.activities,
          interceptors: { activity: this.interceptors },
        }),
      ),
    );
  }
}

/**
 * Tells the SDK how long a worker has to end, in milliseconds: running calls first, and all that is left so much longer. Without the second,
 * a task that never ends would keep the process up for ever.
 */
export function endsOf(graceMs = 10_000, forcedAfterMs = 10_000) {
  return { shutdownGraceTime: graceMs, shutdownForceTime: graceMs + forcedAfterMs };
}

/** The same limits in the words of the SDK. */
export function limitsOf({ atOnce, perSecond }: CallLimits) {
  return {
    ...(atOnce !== undefined && { maxConcurrentActivityTaskExecutions: atOnce }),
    ...(perSecond !== undefined && { maxTaskQueueActivitiesPerSecond: perSecond }),
  };
}
