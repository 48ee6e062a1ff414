/*
 * The thread in which workflow code runs: that of the SDK (1.24), which says all the time whose code it runs.
 */
import { existsSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Context } from 'node:vm';
import { workerData } from 'node:worker_threads';
import { Marks } from './marks.js';
import type { ThreadData } from './watched-thread.js';

interface Created {
  readonly info: { readonly runId: string };
}
interface ReusableVm {
  readonly ReusableVMWorkflow: {
    prototype: { readonly runId: string; activate(activation: unknown): Promise<unknown> };
  };
  readonly ReusableVMWorkflowCreator: {
    prototype: { createWorkflow(options: Created): Promise<unknown>; injectGlobals(context: Context): void };
  };
}

const { memory } = workerData as ThreadData;
const marks = new Marks(memory);
const require = createRequire(import.meta.url);
const { ReusableVMWorkflow, ReusableVMWorkflowCreator } =
  require('@temporalio/worker/lib/workflow/reusable-vm') as ReusableVm;

/** Both run workflow code before they wait for anything, and none after it. */
const { activate } = ReusableVMWorkflow.prototype;
ReusableVMWorkflow.prototype.activate = function (activation) {
  marks.enter(this.runId);
  try {
    return activate.call(this, activation);
  } finally {
    marks.leave();
  }
};
const { createWorkflow, injectGlobals } = ReusableVMWorkflowCreator.prototype;
ReusableVMWorkflowCreator.prototype.createWorkflow = function (options) {
  marks.enter(options.info.runId);
  try {
    return createWorkflow.call(this, options);
  } finally {
    marks.leave();
  }
};
ReusableVMWorkflowCreator.prototype.injectGlobals = function (context) {
  injectGlobals.call(this, context);
  const value = (execution: string) => marks.execute(execution);
  Object.defineProperty(context, '__reeve_mark__', { value, writable: false, enumerable: false, configurable: false });
};

marks.introduce(systemNumber());
require('@temporalio/worker/lib/workflow/workflow-worker-thread');

/** The number that the system gives this thread; 0 where it does not say. */
function systemNumber(): number {
  return existsSync('/proc/thread-self') ? Number(readlinkSync('/proc/thread-self').split('/').at(-1)) : 0;
}
