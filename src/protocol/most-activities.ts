/**
 * How many activities Reeve lets a workflow have under way: calls, and lanes of jobs. Temporal allows 2,000: a task that asks for one
 * more fails, and so does each that is made of it again. One that was cancelled counts until its worker has heard of it.
 */
export const MOST_ACTIVITIES = 1_000;
