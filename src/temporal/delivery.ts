import {
  ApplicationFailure,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
  type ChildWorkflowOptions,
  type WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import type { DeploymentInput } from '../components/index.js';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { deploymentMessageName, entityMessageName, operationMessageName } from '../protocol/message-names.js';
import type { Creation } from '../protocol/creation.js';
import type { DeploymentMessage } from '../protocol/deployment.js';
import type { EntityMessage } from '../protocol/entity-message.js';
import type { OperationMessage } from '../protocol/operation-message.js';
import type { OperationStart } from '../protocol/operation-start.js';
import { entityId, operationWorkflowId, type EntityRef } from '../protocol/names.js';

/** Starts an entity or an operation. It outlasts the workflow that starts it. */
export async function start(
  type: string,
  workflowId: string,
  argument: Creation | OperationStart | DeploymentInput,
  staticSummary: string,
  workflowIdReusePolicy: WorkflowIdReusePolicy,
  shown: Pick<ChildWorkflowOptions, 'searchAttributes' | 'memo'> = {},
): Promise<'created' | 'exists'> {
  const options = {
    workflowId,
    args: [argument],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    workflowIdReusePolicy,
    staticSummary,
    ...shown,
  };
  try {
    await startChild(type, options);
    return 'created';
  } catch (thrown) {
    if (thrown instanceof WorkflowExecutionAlreadyStartedError) return 'exists';
    throw thrown;
  }
}

/** Sends a message from a workflow to an entity. */
export function sendMessage(to: EntityRef, content: EntityMessage): Promise<'delivered' | 'absent'> {
  return delivered(() => getExternalWorkflowHandle(entityId(to)).signal(entityMessageName(content), content));
}

/** Sends a message to an operation. One that has ended need not hear it. */
export function tellOperation(operation: string, content: OperationMessage): Promise<'delivered' | 'absent'> {
  const handle = getExternalWorkflowHandle(operationWorkflowId(operation));
  return delivered(() => handle.signal(operationMessageName(content), content));
}

/** Tells a deployment something. */
export function tellDeployment(workflowId: string, message: DeploymentMessage): Promise<'delivered' | 'absent'> {
  return delivered(() => getExternalWorkflowHandle(workflowId).signal(deploymentMessageName(message), message));
}

export async function delivered(signal: () => Promise<void>): Promise<'delivered' | 'absent'> {
  try {
    await signal();
    return 'delivered';
  } catch (thrown) {
    if (thrown instanceof ApplicationFailure && thrown.type === 'ExternalWorkflowExecutionNotFound') return 'absent';
    throw thrown;
  }
}
