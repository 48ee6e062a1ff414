import { createHash } from 'node:crypto';
import type { Actor } from '../protocol/actor.js';
import { KEY_MARK } from '../protocol/request-id.js';
import { type EntityRef, entityId } from '../protocol/names.js';

/** The idempotency key for which a request id stands; nothing where the id was made by the service. */
export function keyIn(requestId: string): string | undefined {
  return KEY_MARK.test(requestId) ? requestId.replace(KEY_MARK, '') : undefined;
}

/**
 * The request id that an idempotency key stands for. The same key from another caller, or for another entity, is another request.
 * S2.5
 */
export function requestIdOf(key: string, { subject, tenant }: Actor, on: EntityRef): string {
  const owner = JSON.stringify([tenant, subject, entityId(on)]);
  return `${key}~${createHash('sha256').update(owner).digest('base64url').slice(0, 12)}`;
}
