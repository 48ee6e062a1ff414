/*
 * Request ids that carry their time, so that an entity can tell new ids from those that it has forgotten. S2.5
 *
 * request-id.1. The time of an id follows from the id alone and never changes. So decisions by it are right, even if the clock
 *     that gave the time was wrong.
 */
import { fingerprint, shortFingerprint } from './fingerprint.js';

/** The mark of who has sent a key to what. */
export const KEY_MARK = /~[\w-]{12}$/;

/** A UUID v7 (RFC 9562), alone or before a mark of the code that has used it as a key. */
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?:$|~)/i;
/** The ids of what an entity raises carry the time at which it began, before the number of the attempt. */
const RAISED_AT = /@(\d{13})(?:$|~)/;

/** The id of a request on a target: the same id on another target is another request. One with a mark keeps it. S2.5 */
export function requestOn(target: string, id: string): string {
  return KEY_MARK.test(id) ? id : `${id}~${fingerprint(target)}${shortFingerprint(target)}`;
}

/** The time of a request id, in milliseconds since 1970; `undefined` when it carries none. */
export function timeOfId(id: string): number | undefined {
  const uuid = UUID_V7.exec(id);
  if (uuid) return Number.parseInt(uuid[1]! + uuid[2]!, 16);
  const raised = RAISED_AT.exec(id);
  return raised ? Number(raised[1]) : undefined;
}

/** A UUID v7 with this time, and the random bits of a random UUID (v4). */
export function timedUuid(random: string, at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

/** An id that an entity makes, with the time at which its work began: it is the same in every attempt. */
export function raisedAt(id: string, at: number): string {
  return `${id}@${String(at).padStart(13, '0')}`;
}
