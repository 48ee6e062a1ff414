import { AsyncLocalStorage } from 'node:async_hooks';
import { sdkThreads } from './watched-thread.js';
import { WatchedWorkflows, type SignalRun } from './watched-workflows.js';

/** How the worker that is being made signals a run. */
const making = new AsyncLocalStorage<SignalRun>();
let isInstalled = false;

/** Makes one of Temporal's workers whose workflow code is watched: code that does not end costs its own entity alone. S4.1 */
export function watchingWorkflows<T>(signal: SignalRun, make: () => Promise<T>): Promise<T> {
  // The SDK (1.24) has no setting for who makes workflows.
  if (!isInstalled) {
    const { ThreadedVMWorkflowCreator } = sdkThreads();
    const create = ThreadedVMWorkflowCreator.create.bind(ThreadedVMWorkflowCreator);
    ThreadedVMWorkflowCreator.create = async (options) => {
      const signal = making.getStore();
      return signal ? WatchedWorkflows.create(options, signal) : create(options);
    };
    isInstalled = true;
  }
  return making.run(signal, make);
}
