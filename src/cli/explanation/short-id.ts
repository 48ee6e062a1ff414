import { KEY_MARK } from '../../protocol/request-id.js';

/** As many characters of an id name an operation, in a list and for a command. */
export const SHORT_ID = 12;
/** As many characters of the mark tell targets apart. */
const OF_MARK = 4;
const WITH_MARK = /~[\w-]{4}$/;

/**
 * Gives the part of an id whose end tells it from others. Ids that were made one after the other begin alike, and those of one target
 * end alike, with the mark of the target: all but its beginning is left out.
 */
export function tellingPart(id: string): string {
  return KEY_MARK.test(id) ? id.slice(0, OF_MARK - SHORT_ID) : id;
}

/** The short id of an operation, which commands accept. S6.3 */
export function shortId(id: string): string {
  return [...tellingPart(id)].slice(-SHORT_ID).join('');
}

/** Tells whether a short id may be followed by the rest of a mark. */
export function isInMark(short: string): boolean {
  return WITH_MARK.test(short);
}
