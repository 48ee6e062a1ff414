/** A line in the file of a listener: the life, the version and the action of a change, and its position. */
export const LINE = /^(\S+) (\d+) (\S+) (\S+)$/;
