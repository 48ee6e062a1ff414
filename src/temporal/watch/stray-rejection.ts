import { messageOf } from '../../definition/thrown.js';

/** The part of the SDK's workflow (1.24, `worker/src/workflow/vm-shared.ts`) by which it logs. */
export interface StrayWorkflow {
  readonly activator: {
    readonly info: { readonly workflowId: string; readonly runId: string };
    readonly sinkCalls: object[];
  };
}

/**
 * Logs a rejection that workflow code does not handle. It has changed nothing that the workflow decides, in a replay as before, so its
 * task goes on. S1.5a
 */
export function tellStray({ activator: { info, sinkCalls } }: StrayWorkflow, reason: unknown): void {
  const { workflowId, runId } = info;
  const message =
    'A promise in the code of an action was rejected and not awaited. Await each promise, or catch its error.';
  const args = [message, { workflowId, runId, reason: messageOf(reason) }];
  // Does what the SDK's `log.warn` does, from outside the sandbox.
  sinkCalls.push({ ifaceName: '__temporal_logger', fnName: 'warn', args, workflowInfo: info });
}
