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
    case 'nondeterminism':
      return (
        `Its history does not replay on the code that runs. Put back the code with which it began, and it goes on by itself. ` +
        givingUp(workflow)
      );
    case 'timed_out':
      return `The worker that takes it ends, or does not answer, before it is done: its log tells why.`;
    case 'code':
      return `Mend the code that throws, and start workers with it: the task is tried again by itself.`;
  }
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
