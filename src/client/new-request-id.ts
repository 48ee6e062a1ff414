import { randomUUID } from 'node:crypto';
import { timedUuid } from '../protocol/request-id.js';

/** A new request id. Its time tells that it is new, so no entity has to look it up. S2.5 */
export function newRequestId(): string {
  return timedUuid(randomUUID(), Date.now());
}
