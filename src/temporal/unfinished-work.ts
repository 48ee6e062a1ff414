import type { Worker } from '@temporalio/worker';
import { workerSdk } from './worker-sdk.js';

/** A worker has ended before the calls or tasks that are under way in it. Only the end of the process ends those. */
export class UnfinishedWorkError extends Error {
  override readonly name = 'UnfinishedWorkError';
}

/** The messages of the SDK (1.24) when its worker is given back too early, where calls or tasks are under way. It hides the reason. */
const TOO_EARLY = ['Worker still in use', 'Workflow execution context should have been disposed first'] as const;

/**
 * Runs one of Temporal's workers until it is told to end.
 * @throws UnfinishedWorkError when its time to end is over, and when it fails while something is under way
 */
export async function runToEnd(worker: Worker): Promise<void> {
  try {
    await worker.run();
  } catch (thrown) {
    if (!isLeft(thrown)) throw thrown;
    const { numInFlightActivities: calls, numInFlightWorkflowActivations: tasks } = worker.getStatus();
    throw new UnfinishedWorkError(
      `The worker of the task queue '${worker.options.taskQueue}' has ended before its work (calls: ${calls}, workflow tasks: ${tasks}). ` +
        'Other workers repeat it. If you did not stop this worker, the previous line of the log has the reason.',
      { cause: thrown },
    );
  }
}

function isLeft(thrown: unknown): boolean {
  const { GracefulShutdownPeriodExpiredError, IllegalStateError } = workerSdk();
  if (thrown instanceof GracefulShutdownPeriodExpiredError) return true;
  return thrown instanceof IllegalStateError && TOO_EARLY.some((text) => thrown.message.startsWith(text));
}
