import type { OperationReading } from '../client/operation-reading.js';
import { entityId, operationWorkflowId, type EntityRef } from '../protocol/names.js';
import type { ServiceParts } from './parts.js';

type Knowing = Pick<ServiceParts, 'execution'>;

/** For an answer: where a person looks at a workflow, where that is known. S5.6 */
export function executionOf({ execution }: Knowing, workflowId: string): { readonly '@reeve.execution'?: string } {
  return execution ? { '@reeve.execution': execution(workflowId) } : {};
}

/** Of an operation; of the entity on which it was opened, where it has no workflow, or not yet. */
export function executionOfOperation(
  parts: Knowing,
  operation: string,
  state: OperationReading['state'],
  on: EntityRef | undefined,
): { readonly '@reeve.execution'?: string } {
  const isOfEntity = state === 'settled' || state === 'beginning';
  return executionOf(parts, isOfEntity && on ? entityId(on) : operationWorkflowId(operation));
}
