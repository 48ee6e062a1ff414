import { OPERATOR } from '../definition/roles.js';
import { ALL_TENANTS, type Actor } from '../protocol/actor.js';
import { refuseDeployment, refuseDistributed, refuseRole } from './access.js';
import type { Declared } from './declared.js';

/** Which entities somebody may read, and what happened to which. S6.5 */
export interface Readable {
  /** The types of the entities that they may read. */
  readonly types: readonly string[];
  /** The components whose deployments they may read. W1 */
  readonly components: readonly string[];
  /** The types of operations over partitions that they may read. I8 */
  readonly distributed: readonly string[];
  /** The tenant whose entities they may read. Without it, they may read those of all tenants, and those of none. */
  readonly tenant?: string;
  /** Tells whether they may read everything, also of types that are no longer declared. */
  readonly everything: boolean;
}

/** Everything, for the service itself: never for a request. */
export const EVERYTHING: Readable = { types: [], components: [], distributed: [], everything: true };

/** Tells what an actor may read of all that is declared. */
export function readableBy({ entities, components, distributed }: Declared, actor: Actor): Readable {
  const list = { action: 'list' } as const;
  const types = [...entities.values()].filter((entity) => refuseRole(entity, actor, list) === undefined);
  const deployable = [...components.values()].filter((each) => refuseDeployment(each, actor, list) === undefined);
  const operations = [...distributed].filter(([, type]) => refuseDistributed(type, actor, list) === undefined);
  const { tenant, roles } = actor;
  const all = types.length === entities.size && deployable.length === components.size;
  return {
    types: types.map(({ name }) => name),
    components: deployable.map(({ kind }) => kind.name),
    distributed: operations.map(([name]) => name),
    ...(tenant !== ALL_TENANTS && { tenant }),
    everything: tenant === ALL_TENANTS && all && roles.includes(OPERATOR),
  };
}

/** Tells whether an entity of a type and tenant is among what may be read. */
export function isReadable({ types, tenant, everything }: Readable, type: string, owner: string | undefined): boolean {
  return everything || (types.includes(type) && (tenant === undefined || tenant === owner));
}
