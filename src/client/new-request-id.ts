import { randomUUID } from 'node:crypto';
import { timedUuid } from '../protocol/request-id.js';

/** A request id that nobody has had, and that says so by its time: no entity has to look it up. S2.5 */
export function newRequestId(): string {
  return timedUuid(randomUUID(), Date.now());
}
