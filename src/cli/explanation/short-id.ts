import { KEY_MARK } from '../../protocol/request-id.js';

/** As many characters of an id name an operation, in a list and for a command. */
export const SHORT_ID = 12;
/** As many characters of the mark tell targets apart. */
const OF_MARK = 4;
const WITH_MARK = /~[\w-]{4}$/;
/** The id of what an entity begins: its life, which is a UUID, its version, and the name of the timer or the subscription. */
const BEGUN_ALONE = /^(.*#[\da-f-]{36}\/\d+)\/\w+$/;
const WITH_VERSION = /^[\da-f-]+\/\d+$/;

/**
 * Gives the part of an id whose end tells it from others. Ids that were made one after the other begin alike, and those of one target
 * end alike, with the mark of the target: all but its beginning is left out. Those of one timer end alike, with its name.
 */
export function tellingPart(id: string): string {
  return KEY_MARK.test(id) ? id.slice(0, OF_MARK - SHORT_ID) : (BEGUN_ALONE.exec(id)?.[1] ?? id);
}

/** The short id of an operation, which commands accept. S6.3 */
export function shortId(id: string): string {
  return [...tellingPart(id)].slice(-SHORT_ID).join('');
}

/** Gives a text that an id with this end has further inside, where something may follow a short id; else nothing. */
export function insideId(short: string): string | undefined {
  if (WITH_VERSION.test(short)) return `${short}/`;
  return WITH_MARK.test(short) ? short : undefined;
}
