import { createHash } from 'node:crypto';
import type { Actor } from '../protocol/actor.js';
import { type EntityRef, entityId } from '../protocol/names.js';

/**
 * The request id that an idempotency key stands for. The same key from another caller, or for another entity, is another request.
 * S2.5
 */
export function requestIdOf(key: string, { subject, tenant }: Actor, on: EntityRef): string {
  const owner = JSON.stringify([tenant, subject, entityId(on)]);
  return `${key}~${createHash('sha256').update(owner).digest('base64url').slice(0, 12)}`;
}
