import { randomUUID } from 'node:crypto';
import { sdkThreads } from './watched-thread.js';
import { WatchedWorkflows, type SignalRun } from './watched-workflows.js';

/** How each worker that is about to be made signals a run, by its mark. */
const marked = new Map<string, SignalRun>();
let isInstalled = false;

/**
 * Has the workflow code of one of Temporal's workers watched: code that does not end costs its own entity alone. S4.1
 * @returns the mark of the worker: it is made with an activity of this name, which nobody calls
 */
export function watchWorkflows(signal: SignalRun): string {
  // The SDK (1.24) has no setting for who makes workflows, and tells those who do of nothing that is the worker's own but its activities.
  if (!isInstalled) {
    const { ThreadedVMWorkflowCreator } = sdkThreads();
    const create = ThreadedVMWorkflowCreator.create.bind(ThreadedVMWorkflowCreator);
    ThreadedVMWorkflowCreator.create = async (options) => {
      const mark = [...options.registeredActivityNames].find((name) => marked.has(name));
      if (mark === undefined) return create(options);
      const signal = marked.get(mark)!;
      marked.delete(mark);
      return WatchedWorkflows.create(options, signal);
    };
    isInstalled = true;
  }
  const mark = `reeve/watched/${randomUUID()}`;
  marked.set(mark, signal);
  return mark;
}
