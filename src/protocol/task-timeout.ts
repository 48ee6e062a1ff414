/**
 * What a worker had begun when it died is begun again by another one after so long. A task takes milliseconds; one that waits for an
 * inline call tells that it is alive.
 */
export const TASK_TIMEOUT = '5s';
