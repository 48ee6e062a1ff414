/*
 * Messages of the SDK's core (1.24) when it has lost something for good. Nothing in a workflow can prevent that, and only a new
 * process mends it.
 */

/**
 * Two tasks for one workflow were waiting for a place in the full cache, and the core has forgotten what it gave to the second one.
 * The place and the workflow stay busy for ever in this process, and a worker that has lost all its places takes no more tasks.
 */
const LOST_PLACE = 'Extra buffered run should not have produced an activation';

/** Tells whether a line of the core's log tells that the worker has to be replaced. */
export function needsNewWorker(message: string): boolean {
  return message.includes(LOST_PLACE);
}
