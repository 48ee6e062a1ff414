import { newRequestId } from '../client/new-request-id.js';
import type { ExpectedVersion } from '../protocol/request.js';
import type { Actor } from '../protocol/actor.js';
import type { EntityRef } from '../protocol/names.js';
import type { ServiceContext } from './context.js';
import { requestIdOf } from './request-id.js';

/**
 * Holds what an event of this request is raised with. It is always raised for the caller, under an id that the audit trail has too.
 * S6.5
 */
export interface Asking {
  readonly requestId: string;
  readonly actor: Actor;
  readonly expects?: ExpectedVersion;
}

export function askingOf(context: ServiceContext, on: EntityRef, expects?: ExpectedVersion): Asking {
  const { actor } = context.var.guard.credentials;
  const key = context.req.header('idempotency-key');
  if (key !== undefined) context.set('log', context.var.log.child({ idempotencyKey: key }));
  const requestId = key === undefined ? newRequestId() : requestIdOf(key, actor, on);
  return { requestId, actor, ...(expects && { expects }) };
}
