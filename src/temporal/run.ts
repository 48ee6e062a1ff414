import { workflowInfo } from '@temporalio/workflow';
import { Clock } from '../kernel/index.js';
import { RunLength } from './run-length.js';

/** The server lets the successor of a younger run wait for the rest of this time, in milliseconds. */
const YOUNGEST_RUN_MS = 1_000;

/**
 * What a workflow knows of its run. Workflow code reads the clock and the length of history only here: elsewhere, it would decide
 * by how the SDK cuts history into tasks. L7
 */
export class Run {
  readonly clock = new Clock(() => Date.now());
  readonly length = new RunLength();

  /** It should end where nothing is under way. */
  get isLong(): boolean {
    // What the server suggests is told with a task, and no task is merged with another one (workflow-task.ts).
    return this.length.isLong || workflowInfo().continueAsNewSuggested;
  }

  /** The next run would not have to wait. */
  get isOldEnough(): boolean {
    return this.clock.now() - workflowInfo().runStartTime.getTime() >= YOUNGEST_RUN_MS;
  }
}

const NAME = '__reeve_run__';

/** The run of the workflow that runs now. What is global is so for each workflow; a module's variables may be of all. */
export function runOfThis(): Run {
  const { [NAME]: known } = globalThis as { [NAME]?: Run };
  if (known) return known;
  const run = new Run();
  Object.assign(globalThis, { [NAME]: run });
  return run;
}
