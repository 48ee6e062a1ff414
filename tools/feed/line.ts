/** Stands in place of the action where a change tells what its entity waits for. */
export const WAITS = '(waits)';

/** A line in the file of a listener: the life, the version and the action of a change, and its position. */
export const LINE = /^(\S+) (\d+) (\S+) (\S+)$/;
