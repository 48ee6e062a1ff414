/** The pipe on which the watch tells what it sees. */
export const SIGHT_PIPE = 4;
