import { entityId, type EntityRef } from '../../protocol/names.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { describedTypes } from './described-types.js';

/** Where the entities of a type are: `/api/control-plane/v1/LogicalServer`. @throws UsageError when the service has no such type */
export async function pathOfType(api: Api, type: string): Promise<string> {
  const types = await describedTypes(api);
  const path = types.get(type)?.path;
  if (path !== undefined) return path;
  throw new UsageError(`There is no entity type '${type}'. There are: ${[...types.keys()].join(', ')}.`);
}

/** The names of the parts of a type's keys, in their order; nothing where a key is one text, and of an unknown type. */
export async function keyPartsOfType(api: Api, type: string): Promise<readonly string[] | undefined> {
  return (await describedTypes(api)).get(type)?.key;
}

/** Where an entity is. @throws UsageError when the service has no such type */
export async function pathOfEntity(api: Api, { type, key }: EntityRef): Promise<string> {
  return `${await pathOfType(api, type)}/${encodeURIComponent(key)}`;
}

/** Where an entity is listed among those of its operation: `?on=` of a path. */
export function onEntity(ref: EntityRef): string {
  return `on=${encodeURIComponent(entityId(ref))}`;
}
