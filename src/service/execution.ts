import type { OperationReading } from '../client/operation-reading.js';
import { DISTRIBUTED, distributedWorkflowId } from '../protocol/distributed-names.js';
import { entityId, operationWorkflowId, type EntityRef } from '../protocol/names.js';
import type { ServiceParts } from './parts.js';

type Knowing = Pick<ServiceParts, 'execution'>;

/** A member for an answer that says where a person looks at a workflow. It is left out where that is not known. S5.6 */
export function executionOf({ execution }: Knowing, workflowId: string): { readonly '@reeve.execution'?: string } {
  return execution ? { '@reeve.execution': execution(workflowId) } : {};
}

/** The same for an operation. Where it has no workflow, or not yet, it is that of the entity on which it was opened. */
export function executionOfOperation(
  parts: Knowing,
  operation: string,
  reading: OperationReading,
  on: EntityRef | undefined,
): { readonly '@reeve.execution'?: string } {
  const known = reading.state === 'running' ? reading.status : reading.state === 'ended' ? reading.result : undefined;
  if (known?.root.type === DISTRIBUTED) {
    const [instance] = Object.values(known.participants);
    return instance ? executionOf(parts, distributedWorkflowId(instance.key)) : {};
  }
  const isFollowed = reading.state === 'running' || (reading.state === 'ended' && !reading.result.unfollowed);
  if (isFollowed) return executionOf(parts, operationWorkflowId(operation));
  return on ? executionOf(parts, entityId(on)) : {};
}
