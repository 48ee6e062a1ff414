import type { AnyEntity } from '../definition/entity.js';
import { OPERATOR } from '../definition/roles.js';
import { ALL_TENANTS, type Actor } from '../protocol/actor.js';
import { refuseRole } from './access.js';

/** Which entities somebody may read, and what happened to which. S6.5 */
export interface Readable {
  /** Of these types. */
  readonly types: readonly string[];
  /** Of this tenant; of all, and of none, where there is none. */
  readonly tenant?: string;
  /** Everything: also of types that are declared no more. */
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
