/** Buckets for durations, in seconds: from what ends within a task to what lasts for a week. */
export const DURATION_BUCKETS = [
  0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400, 604_800,
];

/** Buckets for HTTP requests, in seconds. The longest requests wait for an operation, for as long as their caller prefers. */
export const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Buckets for the number of executions of one action. */
export const ATTEMPT_BUCKETS = [1, 2, 3, 4, 5, 7, 10, 20, 50];
