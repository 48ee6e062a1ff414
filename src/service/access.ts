import type { AnyComponent, ComponentRoles } from '../components/index.js';
import type { OperationRoles } from '../distributed/index.js';
import { CREATED } from '../definition/created.js';
import type { AnyEntity } from '../definition/entity.js';
import { OPERATOR, rolesToOperate, rolesToRaise, rolesToRead } from '../definition/roles.js';
import { belongsToTenants } from '../definition/tenant.js';
import { rolesFor } from '../kernel/index.js';
import { ALL_TENANTS, type Actor } from '../protocol/actor.js';
import { entityId, type EntityRef } from '../protocol/names.js';

/** The actions that an operator can take on an answer that is awaited from outside. */
type CallbackAction = 'callbacks' | 'extend-callback' | 'revoke-callback';

/** The actions that an entity type's roles allow. */
type EntityAction = 'read' | 'list' | 'create' | 'raise' | 'retry' | 'mark-lost' | 'cancel' | 'answer' | CallbackAction;

/** The actions that a component's roles allow with its deployments. W1 */
type DeploymentAction = 'read' | 'list' | 'deploy' | 'ping' | 'terminate' | 'set' | 'send';

/** The actions that the roles of a type of distributed operation allow. I8 */
type DistributedAction =
  'read' | 'list' | 'start' | 'pause' | 'resume' | 'limit' | 'cancel' | 'proceed' | 'retry' | 'move';

/** The action that somebody wants to take, and on what. */
export interface Access {
  readonly action: EntityAction | DeploymentAction | DistributedAction;
  /**
   * With `create` and `raise`, the event, unless an entity comes to be without one. With `cancel`, the event that opened the
   * operation.
   */
  readonly event?: string;
  /** With `answer`, the call that is answered, or the event that the answer raises. */
  readonly callback?: string;
  /** The entity; or a deployment, with `deployment` in the place of its type. */
  readonly entity?: EntityRef;
  /** With `deploy`, the component. */
  readonly component?: string;
  readonly operation?: string;
  /** With a distributed operation, its type. */
  readonly distributed?: string;
  /** With `list`: the type of the entities, or `operations`, `events`, `audit` and so on. */
  readonly list?: string;
}

/** Tells who may do something with entities of a type: one of these roles is enough. S6.5 */
export function rolesForAccess(
  entity: AnyEntity,
  { action, event }: Pick<Access, 'action' | 'event'>,
): readonly string[] {
  switch (action) {
    case 'read':
    case 'list':
      return rolesToRead(entity);
    case 'create':
      return rolesToRaise(entity, event ?? CREATED);
    case 'raise':
      return event === undefined ? [] : rolesToRaise(entity, event);
    case 'retry':
    case 'mark-lost':
    case 'deploy':
    case 'ping':
    case 'terminate':
    case 'set':
    case 'send':
    case 'start':
    case 'pause':
    case 'resume':
    case 'limit':
    case 'proceed':
    case 'move':
    case 'callbacks':
    case 'extend-callback':
    case 'revoke-callback':
      return rolesToOperate(entity);
    case 'answer':
      // Anyone who has the address may answer, whatever their roles.
      return [];
    case 'cancel':
      // Operators may end what an entity has begun by itself.
      return event === undefined || entity.events[event]?.internal ? rolesToOperate(entity) : rolesFor(entity, event);
  }
}

/** Says why somebody may not do something with any entity of the type. Gives `undefined` where they may. */
export function refuseRole(entity: AnyEntity, actor: Actor, access: Access): string | undefined {
  const target = access.entity ? entityId(access.entity) : entity.name;
  if (actor.tenant !== ALL_TENANTS && !belongsToTenants(entity)) {
    return foreignTenant(actor, target);
  }
  const needed = rolesForAccess(entity, access);
  return missingRole(actor, needed, `${inWords(access)} on ${target}`);
}

/** Tells what somebody wants to do. An event that creates is mostly called so, too. */
function inWords({ action, event }: Access): string {
  if (event === undefined || event === action) return `'${action}'`;
  return action === 'create' ? `'create' by '${event}'` : `'${action} ${event}'`;
}

/** Tells who may do something with deployments of a component. With those of one that is not known, operators may. S6.5 */
export function rolesForDeployment(
  component: Pick<AnyComponent, 'kind' | 'roles'> | undefined,
  action: Access['action'],
): readonly string[] {
  const { deploy, read, operate } = component?.roles ?? {};
  const declared = action === 'deploy' ? deploy : action === 'read' || action === 'list' ? read : operate;
  return declared ?? [OPERATOR];
}

/** Says why somebody may not do something with deployments of a component. Gives `undefined` where they may. */
export function refuseDeployment(
  component: AnyComponent | undefined,
  actor: Pick<Actor, 'subject' | 'roles'>,
  { action, entity }: Access,
): string | undefined {
  const target = entity ? entityId(entity) : `deployments of ${component?.kind.name}`;
  return missingRole(actor, rolesForDeployment(component, action), `'${action}' on ${target}`);
}

/** Tells who may do something with distributed operations of a type. With those of one that is not known, operators may. S6.5 */
export function rolesForDistributed(
  operation: { readonly roles?: OperationRoles } | undefined,
  action: Access['action'],
): readonly string[] {
  const { start, read, operate } = operation?.roles ?? {};
  const declared = action === 'start' ? start : action === 'read' || action === 'list' ? read : operate;
  return declared ?? [OPERATOR];
}

/** Says why somebody may not do something with distributed operations of a type. Gives `undefined` where they may. */
export function refuseDistributed(
  operation: { readonly roles?: OperationRoles } | undefined,
  actor: Actor,
  { action, entity }: Pick<Access, 'action' | 'entity'>,
): string | undefined {
  const target = entity ? entityId(entity) : 'distributed operations';
  if (actor.tenant !== ALL_TENANTS) return foreignTenant(actor, target);
  return missingRole(actor, rolesForDistributed(operation, action), `'${action}' on ${target}`);
}

/** All roles that components, or types of distributed operations, give something to. S6.5 */
export function rolesGivenIn(
  declared: readonly { readonly roles?: ComponentRoles | OperationRoles }[],
): readonly string[] {
  return declared.flatMap(({ roles = {} }) =>
    Object.values(roles).flatMap((given: readonly string[] | undefined) => given ?? []),
  );
}

function foreignTenant({ subject, tenant }: Actor, target: string): string {
  return `${target} belongs to no tenant, and ${subject} acts for the tenant ${tenant}.`;
}

function missingRole(
  { subject, roles }: Pick<Actor, 'subject' | 'roles'>,
  needed: readonly string[],
  what: string,
): string | undefined {
  if (needed.some((role) => roles.includes(role))) return undefined;
  return `${what} requires one of the roles ${needed.join(', ')}, and ${subject} has none of them.`;
}
