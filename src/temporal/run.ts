import { CancellationScope, defineSignal, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { Clock, EndlessCode, LatestTask } from '../kernel/index.js';
import type { EndlessReason } from '../protocol/endless-code.js';
import { ENDLESS_SIGNAL, WAKE_SIGNAL } from '../protocol/names.js';
import { RunLength } from './run-length.js';

/** When a run ends earlier, the server lets the next run wait for the rest of this time, in milliseconds. */
const YOUNGEST_RUN_MS = 1_000;

const wake = defineSignal(WAKE_SIGNAL);
const endless = defineSignal<[string, EndlessReason]>(ENDLESS_SIGNAL);

/** Where the worker's thread is watched (watch/workflow-thread.ts), it puts this into the sandbox. */
declare const __reeve_mark__: ((execution: string) => void) | undefined;

/** All that the service says with a task. */
export interface TaskInfo {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Tells whether the service suggests that the workflow goes on in a new run. */
  readonly suggestsNewRun: boolean;
}

/**
 * All that a workflow knows of its run. Workflow code reads the clock and the length of history only here. Anywhere else, its
 * decisions would depend on how the SDK cuts history into tasks. L7
 *
 * Time stands still in a task that brings nothing but updates, until one of them is accepted. A refused update is not in history,
 * and no replay has a task for it: what would be decided in it, since time has gone on, could never be replayed.
 */
export class Run {
  /** The latest task; none before the first one. */
  readonly task = new LatestTask<TaskInfo | undefined>(undefined);
  readonly clock = new Clock(() => this.task.seen?.time ?? Date.now());
  readonly length = new RunLength();
  readonly endless = new EndlessCode(typeof __reeve_mark__ === 'function' ? __reeve_mark__ : () => undefined);
  /** Tells whether a timer has ended that is as long as the youngest run. */
  #aged = false;
  /** Gives what Temporal's UI is told of the workflow. It is asked when somebody looks: to describe much takes time. */
  details: (() => string) | undefined;
  /** Is called when this process goes on with the workflow after it has read its history. Nothing of it may decide anything. L7 */
  whenResumed: (() => void) | undefined;
  #isWoken = false;

  constructor() {
    setHandler(wake, () => this.#wake(), {
      description: 'Asks it to continue as new as soon as it is at rest, so that it moves to a newer build.',
    });
    setHandler(endless, (execution, why) => this.endless.note(execution, why), {
      description: 'Fails an execution of an action whose code did not end.',
    });
  }

  #wake(): void {
    this.#isWoken = true;
    // Nothing else may ever come. The end of a timer is in history.
    if (this.isOldEnough) return;
    void CancellationScope.nonCancellable(() => sleep(YOUNGEST_RUN_MS)).then(() => (this.#aged = true));
  }

  /**
   * Tells whether it was asked to go on in a new run, where another build may take it over. That comes as a signal, so it is the same
   * in each replay. L7
   */
  get isWoken(): boolean {
    return this.#isWoken;
  }

  /** Tells whether the run should end as soon as nothing is under way: it is long, or it was woken. */
  get isOver(): boolean {
    return this.isLong || this.#isWoken;
  }

  /** Tells whether the history of the run has become long. */
  get isLong(): boolean {
    // The suggestion of the server comes with a task, and no task is joined with another one (workflow-task.ts).
    return this.length.isLong || this.task.known?.suggestsNewRun === true;
  }

  /** Tells whether the next run would not have to wait. Who judges an update sees it as the run itself does, which is closed by it. */
  get isOldEnough(): boolean {
    if (this.#aged) return true;
    const now = this.task.judges ? (this.task.known?.time ?? 0) : this.clock.now();
    return now - workflowInfo().runStartTime.getTime() >= YOUNGEST_RUN_MS;
  }
}

const NAME = '__reeve_run__';

/**
 * The run of the present workflow. It is a global, since each workflow has its own globals, while all may share the variables
 * of a module.
 */
export function runOfThis(): Run {
  const { [NAME]: known } = globalThis as { [NAME]?: Run };
  if (known) return known;
  const run = new Run();
  Object.assign(globalThis, { [NAME]: run });
  return run;
}
