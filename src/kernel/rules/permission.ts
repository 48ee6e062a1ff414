/*
 * Tells whether somebody may raise an event on an entity. The entity decides this again, whatever the service has decided. S6.5
 *
 * permission.1. An entity of another tenant, or of none, is closed to an actor of a tenant, whatever the roles of the actor.
 * permission.2. An entity of one tenant raises nothing on one of another, and sees nothing of it.
 * permission.3. An event without an actor comes from an entity, or from somebody who has access to Temporal itself. It is
 *     trusted.
 * permission.4. This is decided before anything else, so that neither a repeated request nor a version reveals that the entity
 *     exists.
 */
import type { AnyEntity } from '../../definition/entity.js';
import { rolesToOperate, rolesToRaise } from '../../definition/roles.js';
import { belongsToTenants } from '../../definition/tenant.js';
import { ALL_TENANTS } from '../../protocol/actor.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, isImmediate, RETRY_EVENT } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { displayEvent } from '../../definition/display-name.js';

type Asked = Pick<RaiseRequest, 'event' | 'actor' | 'tenant'>;

/** Tells who may raise an event, an operator's calls included. */
export function rolesFor(entity: AnyEntity, event: string): readonly string[] {
  return event === RETRY_EVENT || isImmediate(event) ? rolesToOperate(entity) : rolesToRaise(entity, event);
}

/** The tenant of an entity that a request creates. */
export function tenantAtBirth(entity: AnyEntity, { actor, tenant }: Partial<Asked> = {}): string | undefined {
  if (!belongsToTenants(entity)) return undefined;
  return actor && actor.tenant !== ALL_TENANTS ? actor.tenant : tenant;
}

/** Why a request is refused in every state; nothing where it is not. */
export function refusePermission(entity: AnyEntity, snapshot: Snapshot, request: Asked): Rejection | undefined {
  const { actor, event } = request;
  const name = entityId(snapshot);
  const said = displayEvent(entity, event);
  if (isAnothers(snapshot, request)) {
    const message = `'${said}' was raised for another tenant than that of ${name}.`;
    return { code: 'another_tenant', message, entity: name, event };
  }
  const roles = rolesFor(entity, event);
  if (!actor || roles.some((role) => actor.roles.includes(role))) return undefined;
  const message = `'${said}' on ${name} requires one of the roles ${roles.join(', ')}, and ${actor.subject} has none of them.`;
  return { code: 'not_allowed', message, entity: name, event };
}

/** Tells whether an entity belongs to another tenant than the one that asks. */
export function isAnothers(
  { tenant: owner }: Pick<Snapshot, 'tenant'>,
  { actor, tenant }: Pick<RaiseRequest, 'actor' | 'tenant'>,
): boolean {
  if (actor && actor.tenant !== ALL_TENANTS && actor.tenant !== owner) return true;
  return tenant !== undefined && owner !== undefined && tenant !== owner;
}
