import type { Worker } from '@temporalio/worker';
import { shutDown } from './run-together.js';

/** Temporal's workers of one process, one for each task queue that it serves, as one. */
export class EntityWorker {
  readonly #workers: readonly Worker[];
  readonly #run: () => Promise<void>;

  constructor(workers: readonly Worker[], run: () => Promise<void>) {
    this.#workers = workers;
    this.#run = run;
  }

  /**
   * Runs until `shutdown()`. When one task queue cannot be served any more, the others are left too.
   * @throws UnfinishedWorkError when calls or tasks do not end in time, and what one of Temporal's workers throws
   */
  async run(): Promise<void> {
    await this.#run();
  }

  /**
   * Runs while the work is under way.
   * @returns what the work returns
   */
  async runUntil<T>(work: Promise<T> | (() => Promise<T>)): Promise<T> {
    const running = this.run();
    const working = (typeof work === 'function' ? work() : work).finally(() => this.shutdown());
    const [worked, ran] = await Promise.allSettled([working, running]);
    if (worked.status === 'rejected') throw worked.reason;
    if (ran.status === 'rejected') throw ran.reason;
    return worked.value;
  }

  /** Returns how many calls and workflow tasks are under way here now. */
  get underWay(): { readonly calls: number; readonly tasks: number } {
    const all = this.#workers.map((worker) => worker.getStatus());
    return {
      calls: all.reduce((sum, each) => sum + each.numInFlightActivities, 0),
      tasks: all.reduce((sum, each) => sum + each.numInFlightWorkflowActivations, 0),
    };
  }

  /** Returns whether it takes work of all its task queues. */
  get isRunning(): boolean {
    return this.#workers.every((worker) => worker.getState() === 'RUNNING');
  }

  /** Takes no more work. `run()` ends when what is under way has ended. */
  shutdown(): void {
    shutDown(this.#workers);
  }
}
