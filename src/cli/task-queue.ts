import { DEFAULT_TASK_QUEUE } from '../protocol/names.js';
import { projectSetting } from './project-files.js';

/** The variable that names the task queue. `--task-queue` sets it. */
export const TASK_QUEUE_VARIABLE = 'REEVE_TASK_QUEUE';

/**
 * The task queue that the project's workers serve and on which its entities are created: the one that REEVE_TASK_QUEUE names,
 * else that of the project's package.json, `"reeve": { "taskQueue": "control-plane" }`, else the default.
 */
export async function findTaskQueue(env: NodeJS.ProcessEnv = process.env, folder = process.cwd()): Promise<string> {
  return env[TASK_QUEUE_VARIABLE] || (await projectSetting(folder, 'taskQueue'))?.value || DEFAULT_TASK_QUEUE;
}
