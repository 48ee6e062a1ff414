import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { AnyImplementation } from '../definition/actions.js';
import type { LookDistance } from '../kernel/look.js';
import { OPERATION_TYPE } from '../protocol/names.js';
import { entityWorkflow } from './entity-workflow.js';
import { operationWorkflow } from './operation-workflow.js';

/**
 * The one workflow function of a bundle: it runs operations, and entities by their type.
 *
 * ```ts
 * // workflows/index.ts
 * export default entityWorkflows(logicalServer, alias);
 * ```
 */
export function entityWorkflows(...implementations: readonly AnyImplementation[]) {
  return workflowsOf(implementations);
}

/** The same, with how often successors that say nothing are looked after. */
export function workflowsOf(implementations: readonly AnyImplementation[], lookDistance?: LookDistance) {
  const byType = new Map(implementations.map((implementation) => [implementation.entity.name, implementation]));
  return async function run(input: unknown): Promise<unknown> {
    const { workflowType } = workflowInfo();
    if (workflowType === OPERATION_TYPE) return operationWorkflow(input as Parameters<typeof operationWorkflow>[0]);
    const implementation = byType.get(workflowType);
    if (!implementation) {
      const known = [...byType.keys()].join(', ');
      throw ApplicationFailure.nonRetryable(
        `No entity type is named '${workflowType}'. There are: ${known}.`,
        'unknown_type',
      );
    }
    return entityWorkflow(implementation, input, lookDistance);
  };
}
