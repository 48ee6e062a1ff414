/*
 * What a single query option may ask for. Parsing and translation recurse over what is nested and loop over what is
 * long, so these numbers bound both the stack and the work that a stranger can cause.
 */

/** Characters of one option. */
export const MAX_LENGTH = 8_192;
/** Parentheses, functions, lambdas and prefix operators within each other. */
export const MAX_DEPTH = 32;
/** Operators, functions, literals and names of one option. */
export const MAX_NODES = 500;
/** Values after `in`. */
export const MAX_IN_VALUES = 200;
/** Expansions within each other. */
export const MAX_EXPAND_DEPTH = 4;
/** Characters of a number, and the largest exponent of ten. */
export const MAX_NUMBER_LENGTH = 64;
export const MAX_EXPONENT = 308;
/** Seconds of a duration: a thousand years, so that no sum leaves the range of a timestamp. */
export const MAX_DURATION_S = 31_556_952_000;
export const MAX_ORDER_ITEMS = 16;
