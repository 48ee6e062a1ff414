/*
 * The thread in which workflow code runs: that of the SDK (1.24), which says all the time whose code it runs, and tells rejections that
 * nobody handles.
 */
import { existsSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Context } from 'node:vm';
import { workerData } from 'node:worker_threads';
import { Marks } from './marks.js';
import { tellStray, type StrayWorkflow } from './stray-rejection.js';
import type { ThreadData } from './watched-thread.js';

interface Created {
  readonly info: { readonly runId: string };
}
interface Workflow extends StrayWorkflow {
  readonly runId: string;
  activate(activation: unknown): Promise<unknown>;
}
interface ReusableVm {
  readonly ReusableVMWorkflow: { prototype: Workflow };
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
let latest: Workflow | undefined;
const note = (workflow: Workflow) => (latest = workflow);
ReusableVMWorkflow.prototype.activate = function (activation) {
  note(this);
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

// The SDK's own way fails the task, again and again. Rejections come before the code of another run.
const shared = require('@temporalio/worker/lib/workflow/vm-shared') as { setUnhandledRejectionHandler: () => void };
shared.setUnhandledRejectionHandler = () => {
  process.on('unhandledRejection', (reason) => {
    if (!latest) throw reason;
    tellStray(latest, reason);
  });
};

marks.introduce(systemNumber());
require('@temporalio/worker/lib/workflow/workflow-worker-thread');

/** The number that the system gives this thread; 0 where it does not say. */
function systemNumber(): number {
  return existsSync('/proc/thread-self') ? Number(readlinkSync('/proc/thread-self').split('/').at(-1)) : 0;
}
