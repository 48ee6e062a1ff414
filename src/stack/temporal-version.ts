/** The version of the `temporal` command that `infra/temporal` pins and that a build gives. */
export const TEMPORAL_VERSION = '1.8.2';

/** The oldest version that can be used. Older ones lack features on which the stack relies. */
export const OLDEST_TEMPORAL = [1, 5] as const;
