/** The exit codes of the command, by what they tell scripts. */
export const EXIT = {
  done: 0,
  /** The operation ended, and failed. */
  failed: 1,
  /** The event was rejected, or the command was not right. */
  rejected: 2,
  /** The service or its workers cannot be reached. */
  unreachable: 3,
} as const;
