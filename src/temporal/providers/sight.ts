/** The global function that tells the number of the call whose code runs. */
export const CURRENT_CALL = '__reeve_current_call__';
/** How often the process says that it does not stand still, in milliseconds. */
export const TICK_MS = 100;
/** The pipe on which the watch tells what it sees. */
export const SIGHT_PIPE = 4;
