import { cancellationDetails } from '@temporalio/activity';
import {
  ApplicationFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  type Client,
  type WorkflowHandle,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { ResourceError } from '../protocol/errors.js';
import type { CallContext } from './resources.js';
import { untilAborted } from './until-aborted.js';

/** Holds where the workflow of a call runs. */
export interface CallWorkflowOptions {
  readonly client: Client;
  /** The task queue of the worker that runs the workflow. */
  readonly taskQueue: string;
}

/**
 * Makes the code of a call that runs a workflow of your own, with the call's input, and waits for its result:
 *
 * ```ts
 * implementResource(shipping, { ship: callWorkflow<typeof ship>('ship', { client, taskQueue: 'shop' }) });
 * ```
 *
 * Its id is made of the idempotency key, so each call has one. Where it fails, the call does, with the type of its `ApplicationFailure` as
 * its code, and the next attempt runs it again. It is canceled where nobody waits for the call any more.
 */
export function callWorkflow<W extends (input: never) => Promise<unknown>>(
  type: string,
  { client, taskQueue }: CallWorkflowOptions,
): (input: Parameters<W>[0], context: CallContext) => Promise<Awaited<ReturnType<W>>> {
  return async (input, { idempotencyKey, signal }): Promise<Awaited<ReturnType<W>>> => {
    const handle = await start(client, type, {
      ...{ workflowId: `${type}/${idempotencyKey}`, taskQueue, args: [input] },
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    });
    try {
      // The SDK (1.24) does not look whether a signal was aborted before.
      const result = client.withAbortSignal(signal, () => handle.result());
      return (await Promise.race([result, untilAborted(signal)])) as Awaited<ReturnType<W>>;
    } catch (thrown) {
      if (thrown instanceof WorkflowFailedError) throw failureOf(type, thrown);
      // A worker that ends leaves it to the next one.
      if (signal.aborted && cancellationDetails()?.workerShutdown !== true) await handle.cancel();
      throw thrown;
    }
  };
}

/** Starts the workflow, or joins the one that an earlier execution of the call has started. */
async function start(client: Client, type: string, options: WorkflowStartOptions): Promise<WorkflowHandle> {
  try {
    return await client.workflow.start(type, options);
  } catch (thrown) {
    // It has succeeded already.
    if (!(thrown instanceof WorkflowExecutionAlreadyStartedError)) throw thrown;
    return client.workflow.getHandle(options.workflowId);
  }
}

function failureOf(type: string, { cause, message }: WorkflowFailedError): ResourceError {
  const code = cause instanceof ApplicationFailure && cause.type ? cause.type : 'workflow_failed';
  return new ResourceError(code, `The workflow ${type} has failed: ${cause?.message ?? message}`);
}
