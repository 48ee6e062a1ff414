/*
 * The most that a single query option may ask for. Parsing and translation recurse over nested parts and loop over long ones, so these
 * numbers limit both the stack and the work that a stranger can cause.
 */

/** The most characters of one option. */
export const MAX_LENGTH = 8_192;
/** The most parentheses, functions, lambdas and prefix operators within each other. */
export const MAX_DEPTH = 32;
/** The most operators, functions, literals and names of one option. */
export const MAX_NODES = 500;
/** The most values after `in`. */
export const MAX_IN_VALUES = 200;
/** The most expansions within each other. */
export const MAX_EXPAND_DEPTH = 4;
/** The most characters of a number; below it, the largest exponent of ten. */
export const MAX_NUMBER_LENGTH = 64;
export const MAX_EXPONENT = 308;
/** The longest duration, in seconds. It is a thousand years, so that no sum leaves the range of a timestamp. */
export const MAX_DURATION_S = 31_556_952_000;
export const MAX_ORDER_ITEMS = 16;
