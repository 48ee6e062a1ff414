import type { State, Worker } from '@temporalio/worker';
import { allEnded } from './all-ended.js';
import type { CurrentCall } from './current-call.js';
import { describeStray } from './describe-stray.js';
import { hearStrays } from './stray-failures.js';
import { runToEnd } from './unfinished-work.js';
import { hearHolds, type Hold } from './watch/loop-watch.js';
import { workerSdk } from './worker-sdk.js';

/** The states in which a worker has not been told to end. Temporal's worker refuses to end before it runs. */
const ENDABLE: readonly State[] = ['INITIALIZED', 'RUNNING'];

function logStray(thrown: unknown, call: CurrentCall): void {
  const { message, attributes } = describeStray(thrown, call);
  workerSdk().Runtime.instance().logger.error(message, attributes);
}

function logHold({ call, at, ms }: Hold): void {
  const message =
    'A provider has held up its whole worker: no entity was served. Await long work, or move it to a worker ' +
    'thread or a separate process.';
  workerSdk()
    .Runtime.instance()
    .logger.error(message, { ...call, at, heldMs: Math.round(ms) });
}

type BesideWork = (ended: AbortSignal) => Promise<void>;

/** Temporal's workers of one process, one for each task queue that it serves, as one. */
export class EntityWorker {
  readonly #workers: readonly Worker[];
  readonly #besides: readonly BesideWork[];

  /** @param besides what is done while they run, until they have ended */
  constructor(workers: readonly Worker[], besides: readonly BesideWork[] = []) {
    this.#workers = workers;
    this.#besides = besides;
  }

  /**
   * Runs until `shutdown()`. When one task queue cannot be served any more, the others are left too.
   * @throws UnfinishedWorkError when calls or tasks do not end in time, and what one of Temporal's workers throws
   */
  async run(): Promise<void> {
    const runs = this.#workers.map(async (worker) => runToEnd(worker).finally(() => this.shutdown()));
    const ended = new AbortController();
    const hearNoMore = [hearStrays(logStray), hearHolds(logHold)];
    const besides = this.#besides.map((work) => work(ended.signal));
    try {
      await allEnded(runs);
    } finally {
      ended.abort();
      for (const end of hearNoMore) end();
      await Promise.all(besides);
    }
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
    for (const worker of this.#workers) if (ENDABLE.includes(worker.getState())) worker.shutdown();
  }
}
