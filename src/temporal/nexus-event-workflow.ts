import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { OperationResult } from '../operations/status.js';
import { entityCalls, type EventToRaise } from './entity-calls.js';

/**
 * Raises an event for a Nexus operation, which ends with the event's own. A request to cancel the one is passed on to the other: its
 * entities decide.
 */
export async function nexusEventWorkflow(event: EventToRaise): Promise<OperationResult> {
  const { raise, result, cancel } = entityCalls(undefined);
  // Nobody would know whether an event that was cut off was raised.
  const accepted = await CancellationScope.nonCancellable(() => raise(event));
  try {
    return await result(accepted);
  } catch (thrown) {
    if (!isCancellation(thrown)) throw thrown;
    return CancellationScope.nonCancellable(async () => {
      await cancel(accepted);
      return result(accepted);
    });
  }
}
