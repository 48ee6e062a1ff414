import { defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import { Clock } from '../kernel/index.js';
import { WAKE_SIGNAL } from '../protocol/names.js';
import { RunLength } from './run-length.js';

/** When a run ends earlier, the server lets the next run wait for the rest of this time, in milliseconds. */
const YOUNGEST_RUN_MS = 1_000;

const wake = defineSignal(WAKE_SIGNAL);

/**
 * What a workflow knows of its run. Workflow code reads the clock and the length of history only here. Anywhere else, its
 * decisions would depend on how the SDK cuts history into tasks. L7
 */
export class Run {
  readonly clock = new Clock(() => Date.now());
  readonly length = new RunLength();
  /** What Temporal's UI is told of the workflow. It is asked when somebody looks: to describe much takes time. */
  details: (() => string) | undefined;
  #isWoken = false;

  constructor() {
    setHandler(wake, () => void (this.#isWoken = true), {
      description:
        'Asks it to go on in a new run as soon as nothing is under way, so that a newer build takes it over.',
    });
  }

  /**
   * Whether it was asked to go on in a new run, where another build may take it over. That comes as a signal, so it is the same
   * in each replay. L7
   */
  get isWoken(): boolean {
    return this.#isWoken;
  }

  /** Whether the run should end as soon as nothing is under way: it is long, or it was woken. */
  get isOver(): boolean {
    return this.isLong || this.#isWoken;
  }

  /** Whether the history of the run has become long. */
  get isLong(): boolean {
    // The suggestion of the server comes with a task, and no task is joined with another one (workflow-task.ts).
    return this.length.isLong || workflowInfo().continueAsNewSuggested;
  }

  /** Whether the next run would not have to wait. */
  get isOldEnough(): boolean {
    return this.clock.now() - workflowInfo().runStartTime.getTime() >= YOUNGEST_RUN_MS;
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
