/** The longest message of an error or a rejection, in characters. */
export const LONGEST_MESSAGE = 2_000;
/** The longest code of an error, in characters. */
export const LONGEST_CODE = 100;
/** How much of a stack is kept beside its message, in characters. */
export const LONGEST_STACK = 8_000;
/** How much of its fields a line of a log tells, in characters. */
export const LOGGED_CHARACTERS = 32_000;
/** How large a log of a process of the stack grows before it is put aside, in bytes. One is kept beside it. */
export const LOG_FILE_BYTES = 16 * 1024 * 1024;
