import { GracefulShutdownPeriodExpiredError, IllegalStateError, type Worker } from '@temporalio/worker';

/** A worker has ended before the calls or tasks that are under way in it. Only the end of the process ends those. */
export class UnfinishedWorkError extends Error {
  override readonly name = 'UnfinishedWorkError';
}

/** What the SDK's core (1.24) says when its worker is given back too early. It takes the place of the reason. */
const STILL_IN_USE = 'Worker still in use';

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
        'Other workers do it again. Where nobody has stopped it, the line before this in the log has the reason.',
      { cause: thrown },
    );
  }
}

function isLeft(thrown: unknown): boolean {
  if (thrown instanceof GracefulShutdownPeriodExpiredError) return true;
  return thrown instanceof IllegalStateError && thrown.message.startsWith(STILL_IN_USE);
}
