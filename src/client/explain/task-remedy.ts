import { OPERATION_TYPE, parseEntityId } from '../../protocol/names.js';
import type { TaskFailureCause } from './task-failure.js';

/** The workflow whose task fails. */
export interface FailingWorkflow {
  readonly workflowId: string;
  readonly type: string;
  readonly taskQueue: string;
}

/** Tells what a person does about a task that fails again and again. */
export function taskRemedy(cause: TaskFailureCause, workflow: FailingWorkflow): string {
  const { type, taskQueue } = workflow;
  switch (cause) {
    case 'unknown_type':
      return (
        `No worker of the task queue '${taskQueue}' that took it has the type '${type}': start one that does, and end ` +
        `those that do not.`
      );
    case 'older_run':
      return `${OLD_CODE} ${beginningAnew(workflow)}`;
    case 'newer_entity':
      return `Start workers with the newer schema, and stop those with the older one. The entity then continues automatically.`;
    case 'nondeterminism':
      return `Its history does not replay on the code that runs. ${OLD_CODE} ${beginningAnew(workflow)} ${givingUp(workflow)}`;
    case 'timed_out':
      return `Continue or end that process, and start a worker if none is left: the next one takes the task automatically.`;
    case 'code':
      return `Fix the code that throws, and start workers with it. Temporal retries the task automatically.`;
  }
}

const OLD_CODE =
  `Start workers with the code with which its run began. It then continues automatically, and moves to the new code when it rests for a ` +
  `minute, or by a rollout (docs/operate/rollout.md).`;

function beginningAnew({ workflowId }: FailingWorkflow): string {
  return (
    `Or, if that code is gone, reset its run: 'temporal workflow reset -w ${workflowId} --type FirstWorkflowTask ` +
    `--reason "new code"'. It then repeats everything since, so do this only with an entity that has rested.`
  );
}

function givingUp({ workflowId, type }: FailingWorkflow): string {
  const terminate = `'temporal workflow terminate -w ${workflowId}'`;
  if (type === OPERATION_TYPE) {
    return `Or terminate it, ${terminate}: its entities continue, and its outcome is not reported.`;
  }
  const ref = parseEntityId(workflowId);
  if (ref?.type !== type) return `Or end it: ${terminate}.`;
  return `Or terminate it, ${terminate}, and create it again: 'reeve create ${ref.type}/${ref.key}'.`;
}
