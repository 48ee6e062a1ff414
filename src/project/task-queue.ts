/** The variable that names the task queue of a project's workers, before its package.json does. */
export const TASK_QUEUE_VARIABLE = 'REEVE_TASK_QUEUE';
