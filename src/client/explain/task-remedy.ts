import { OPERATION_TYPE, parseEntityId } from '../../protocol/names.js';
import type { TaskFailureCause } from './task-failure.js';

/** The workflow whose task fails. */
export interface FailingWorkflow {
  readonly workflowId: string;
  readonly type: string;
  readonly taskQueue: string;
}

/** What a person does about a task that fails again and again. */
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
      return `Start workers with the code of the newer schema, and end those of the older one: the entity goes on by itself.`;
    case 'nondeterminism':
      return `Its history does not replay on the code that runs. ${OLD_CODE} ${beginningAnew(workflow)} ${givingUp(workflow)}`;
    case 'timed_out':
      return `The worker that takes it ends, or does not answer, before it is done: its log tells why.`;
    case 'code':
      return `Mend the code that throws, and start workers with it: the task is tried again by itself.`;
  }
}

const OLD_CODE =
  `Start workers with the code with which its run began: it goes on by itself, and takes the new code over when it rests for a ` +
  `minute, or is told to by a rollout (docs/rollout.md).`;

function beginningAnew({ workflowId }: FailingWorkflow): string {
  return (
    `Or, where that code is gone, begin its run anew: 'temporal workflow reset -w ${workflowId} --type FirstWorkflowTask ` +
    `--reason "new code"'. What it has done since is done again, so do this only to one that has rested.`
  );
}

function givingUp({ workflowId, type }: FailingWorkflow): string {
  const terminate = `'temporal workflow terminate -w ${workflowId}'`;
  if (type === OPERATION_TYPE) {
    return `Or end it, ${terminate}: its entities go on, and nobody is told how it ends.`;
  }
  const ref = parseEntityId(workflowId);
  if (ref?.type !== type) return `Or end it: ${terminate}.`;
  return `Or give it up, ${terminate}, and create it anew: 'reeve create ${ref.type} ${ref.key}'.`;
}
