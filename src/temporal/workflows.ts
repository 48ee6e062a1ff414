import { workflowInfo } from '@temporalio/workflow';
import type { AnyImplementation } from '../definition/actions.js';
import { toMilliseconds, type Duration } from '../definition/duration.js';
import { treeProgram, type DeploymentInput, type TreeProgramOptions } from '../components/index.js';
import { operationTypes, type AnyDistributedOperation } from '../distributed/index.js';
import type { LookDistance } from '../kernel/index.js';
import type { OperationInput } from '../operations/operation-life.js';
import { COORDINATOR_TYPE, DISTRIBUTED_TYPE } from '../protocol/distributed-names.js';
import { DEPLOYMENT_TYPE, KEEPER_TYPE, NEXUS_EVENT_TYPE, OPERATION_TYPE, RECORDS_TYPE } from '../protocol/names.js';
import type { LedgerSizes } from '../protocol/snapshot.js';
import type { StoreRecord } from '../protocol/records.js';
import { unknownTypeMessage } from '../protocol/unknown-type.js';
import type { CallRoutes } from './call-routes.js';
import { deploymentWorkflow } from './deployment-workflow.js';
import { coordinatorWorkflow, type CoordinatorRunInput } from './distributed/coordinator-workflow.js';
import { instanceWorkflow, type InstanceRunInput } from './distributed/instance-workflow.js';
import { entityWorkflow } from './entity-workflow.js';
import type { KeeperProgress } from './keeper/progress.js';
import { keeperWorkflow } from './keeper/workflow.js';
import type { EventToRaise } from './entity-calls.js';
import { nexusEventWorkflow } from './nexus-event-workflow.js';
import { operationWorkflow } from './operation-workflow.js';
import { noRecords, recordDriver, recordsWorkflow } from './record-driver.js';

/** Holds the times and limits by which entities run. They are part of the workflow code, so all workers of a build have the same. */
export interface EntityWorkflowOptions {
  /**
   * Sets how long an entity rests before it continues as new with a short history; at least a second. It may be twice as long, since one
   * timer serves many events. Default 30 s.
   */
  readonly restAfter?: Duration;
  /** Sets how often successors that say nothing are looked after. */
  readonly lookDistance?: LookDistance;
  /** Sets how many requests an entity remembers itself, where that is not the usual number. The store knows the others. */
  readonly ledgerSizes?: LedgerSizes;
  /** Sets whether entities send records to the workers' store. Default true. A worker without a store drops them. */
  readonly recorded?: boolean;
  /**
   * The task queues of calls that other workers make than those of their entities, by resource or call:
   * `{ mail: 'mail', 'databases.backUp': 'slow' }`. A worker serves them by `createWorker({ serves })`. A5
   */
  readonly routes?: CallRoutes;
  /** Sets what deployments of workflow components may consist of. W1 */
  readonly deployments?: TreeProgramOptions;
  /** The types of operations over partitions that can be started. I8 */
  readonly distributed?: readonly AnyDistributedOperation[];
}

/** The workflow function of a bundle, and what it can run, for those that compare it with what is declared. */
export interface EntityWorkflows {
  (input: unknown): Promise<unknown>;
  readonly entityTypes: readonly string[];
  readonly routes: CallRoutes;
}

/**
 * The one workflow function of a bundle: it runs operations, entities by their type, and the keeper.
 *
 * ```ts
 * // workflows/index.ts
 * export default entityWorkflows(logicalServer, alias);
 * ```
 */
export function entityWorkflows(...implementations: readonly AnyImplementation[]): EntityWorkflows {
  return entityWorkflowsWith({}, ...implementations);
}

/** The same, with options. */
export function entityWorkflowsWith(
  {
    restAfter = '30s',
    lookDistance,
    ledgerSizes,
    recorded = true,
    routes = {},
    deployments = {},
    distributed = [],
  }: EntityWorkflowOptions,
  ...implementations: readonly AnyImplementation[]
): EntityWorkflows {
  const records = recorded ? recordDriver : noRecords;
  const trees = treeProgram(deployments);
  const types = operationTypes(distributed);
  const settings = { restAfterMs: toMilliseconds(restAfter), lookDistance, ledgerSizes, records, routes, trees };
  const byType = new Map(implementations.map((implementation) => [implementation.entity.name, implementation]));
  const run = async (input: unknown): Promise<unknown> => {
    const { workflowType, taskQueue, currentBuildId } = workflowInfo();
    if (workflowType === OPERATION_TYPE) return operationWorkflow(input as OperationInput, records);
    if (workflowType === DEPLOYMENT_TYPE) return deploymentWorkflow(input as DeploymentInput, trees, records);
    if (workflowType === COORDINATOR_TYPE) return coordinatorWorkflow(input as CoordinatorRunInput, types, records);
    if (workflowType === DISTRIBUTED_TYPE) return instanceWorkflow(input as InstanceRunInput, types, records);
    if (workflowType === RECORDS_TYPE) return recordsWorkflow(input as readonly StoreRecord[]);
    if (workflowType === KEEPER_TYPE) return keeperWorkflow([...byType.keys()], input as KeeperProgress | undefined);
    if (workflowType === NEXUS_EVENT_TYPE) return nexusEventWorkflow(input as EventToRaise);
    const implementation = byType.get(workflowType);
    // A plain error fails the task and not the workflow: nothing is lost until workers with the new type have started.
    if (!implementation) {
      const known = [...byType.keys()];
      throw new Error(unknownTypeMessage({ type: workflowType, taskQueue, build: currentBuildId, known }));
    }
    return entityWorkflow(implementation, input, settings);
  };
  return Object.assign(run, { entityTypes: [...byType.keys()], routes });
}
