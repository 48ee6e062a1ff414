import type { AnyEntity } from '../definition/entity.js';
import { lowestSchema } from '../definition/migration.js';

/** All that a build reads of its entities: the schema of each type, and the lowest one to which its migrations lead back. Q2 */
export type BuildSchemas = Readonly<Record<string, { readonly schema: number; readonly backTo: number }>>;

export function schemasOf(entities: readonly AnyEntity[]): BuildSchemas {
  return Object.fromEntries(
    entities.map((entity) => [entity.name, { schema: entity.schema, backTo: lowestSchema(entity) }]),
  );
}
