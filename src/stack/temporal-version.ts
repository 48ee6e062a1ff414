/** The version of the `temporal` command that `infra/temporal` pins and that a build gives. */
export const TEMPORAL_VERSION = '1.8.2';

/** Older ones lack what the stack relies on. */
export const OLDEST_TEMPORAL = [1, 5] as const;
