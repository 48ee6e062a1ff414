import type { AnyEntity } from '../definition/entity.js';
import { OPERATOR } from '../definition/roles.js';
import { ALL_TENANTS, type Actor } from '../protocol/actor.js';
import { refuseRole } from './access.js';

/** Which entities somebody may read, and what happened to which. S6.5 */
export interface Readable {
  /** The types of the entities that they may read. */
  readonly types: readonly string[];
  /** The tenant whose entities they may read. Without it, they may read those of all tenants, and those of none. */
  readonly tenant?: string;
  /** Whether they may read everything, also of types that are no longer declared. */
  readonly everything: boolean;
}

/** What an actor may read of all that is declared. */
export function readableBy(entities: readonly AnyEntity[], actor: Actor): Readable {
  const types = entities.filter((entity) => refuseRole(entity, actor, { action: 'list' }) === undefined);
  const { tenant, roles } = actor;
  return {
    types: types.map(({ name }) => name),
    ...(tenant !== ALL_TENANTS && { tenant }),
    everything: tenant === ALL_TENANTS && types.length === entities.length && roles.includes(OPERATOR),
  };
}

/** Whether an entity of a type and tenant is among what may be read. */
export function isReadable({ types, tenant, everything }: Readable, type: string, owner: string | undefined): boolean {
  return everything || (types.includes(type) && (tenant === undefined || tenant === owner));
}
