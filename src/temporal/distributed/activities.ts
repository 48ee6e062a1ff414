import { Context, getClient } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import {
  allPartitions,
  without,
  NO_PARTITIONS,
  type CompletionResult,
  type Completing,
  type DistributedOperationLogic,
  type InstanceRef,
  type OperationLogic,
  type PartitionSet,
  type Placement,
  type RunningOperation,
  type StartProblem,
} from '../../distributed/index.js';
import {
  CHECK_ACTIVITY,
  COMPLETE_ACTIVITY,
  DISTRIBUTED_TYPE,
  distributedNameOf,
  distributedWorkflowId,
  OBJECT_MEMO,
  parseInstanceName,
  PLACEMENT_ACTIVITY,
  RUNNING_ACTIVITY,
  RUNS_ACTIVITY,
} from '../../protocol/distributed-names.js';
import { logicOf, logicsByType } from './logics.js';

/** Whatever knows the targets of operations: tables that are spread over places, for instance. I1 */
export interface OperationTargets {
  /** Returns who holds which partition of a target now; nothing when there is no such target. */
  placement(target: string): Promise<Placement | undefined>;
}

/** Describes what a worker needs to serve distributed operations. I8 */
export interface ServedOperations {
  readonly operations: readonly DistributedOperationLogic[];
  readonly targets: OperationTargets;
}

/** A start that the types allow, to be checked by the target and the code of its type. */
export interface StartToCheck {
  readonly target: string;
  readonly type: string;
  readonly argument: unknown;
  readonly instance: string;
  readonly partitions?: PartitionSet;
}

type Completion = InstanceRef & { readonly argument: unknown; readonly completing: Completing };

const BEAT_MS = 2_000;

/** The activities of a worker that serves distributed operations. */
export function distributedActivities({ operations, targets }: ServedOperations) {
  const logics = logicsByType(operations);
  return {
    [PLACEMENT_ACTIVITY]: async (target: string) => (await targets.placement(target)) ?? null,
    [CHECK_ACTIVITY]: async (start: StartToCheck): Promise<StartProblem> => {
      const { target, type, argument, instance, partitions } = start;
      const placement = await targets.placement(target);
      const problem = placement ? partitionProblem(target, placement, partitions) : unknownTarget(target);
      if (problem) return problem;
      const { logic } = logicOf(logics, type);
      return (logic as OperationLogic<unknown>).check?.(target, argument, instance);
    },
    [COMPLETE_ACTIVITY]: async ({ type, target, argument, completing }: Completion): Promise<CompletionResult> => {
      const { logic } = logicOf(logics, type);
      const ended = await beating(() => (logic as OperationLogic<unknown>).complete(target, argument, completing));
      return ended ?? {};
    },
    [RUNNING_ACTIVITY]: async (target: string): Promise<readonly RunningOperation[]> => {
      const running: RunningOperation[] = [];
      const prefix = distributedWorkflowId(`${target}/`).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
      const query = `WorkflowType = "${DISTRIBUTED_TYPE}" AND ExecutionStatus = "Running" AND WorkflowId STARTS_WITH "${prefix}"`;
      for await (const { workflowId, memo } of getClient().workflow.list({ query })) {
        const { target: of, type, instance } = parseInstanceName(distributedNameOf(workflowId));
        const object = memo?.[OBJECT_MEMO];
        // The name of another target may begin with that of this one.
        if (of === target) running.push({ type, instance, ...(typeof object === 'string' && { object }) });
      }
      return running;
    },
    [RUNS_ACTIVITY]: async (instance: string): Promise<boolean> => {
      try {
        const { status } = await getClient().workflow.getHandle(distributedWorkflowId(instance)).describe();
        return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW';
      } catch (thrown) {
        if (thrown instanceof WorkflowNotFoundError) return false;
        throw thrown;
      }
    },
  };
}

/** Does something, and says all the while that it lives. */
export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const { heartbeat } = Context.current();
  const timer = setInterval(() => heartbeat(), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

function partitionProblem(
  target: string,
  { partitions }: Placement,
  wanted: PartitionSet = NO_PARTITIONS,
): StartProblem {
  const unknown = without(wanted, allPartitions(partitions));
  if (unknown === NO_PARTITIONS) return undefined;
  const message = `${target} has no partitions ${unknown}: they are numbered from 0 to ${partitions - 1}.`;
  return { code: 'unknown_partition', message };
}

function unknownTarget(target: string): StartProblem {
  return { code: 'unknown_target', message: `There is no '${target}' with partitions.` };
}
