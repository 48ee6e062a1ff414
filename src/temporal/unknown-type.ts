import { workflowInfo } from '@temporalio/workflow';
import { UNKNOWN_TYPE } from '../protocol/names.js';

/**
 * A worker has taken the task of an entity whose type its bundle does not have. It is no failure of the entity: only the task
 * fails, and is tried again until a worker that has the type takes it. So a type can be used while the workers that have it
 * still start.
 */
export class UnknownType extends Error {
  override readonly name = UNKNOWN_TYPE;

  constructor(known: readonly string[]) {
    const { workflowType, taskQueue, currentBuildId } = workflowInfo();
    const build = currentBuildId ? ` (build ${currentBuildId})` : '';
    super(
      `A worker of the task queue '${taskQueue}'${build} has no entity type '${workflowType}'. It has: ${known.join(', ')}. ` +
        `Start one whose bundle has the type on this task queue, and end those that do not: the task is tried again until then.`,
    );
  }
}
