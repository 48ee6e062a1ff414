import { didYouMean } from '../../definition/did-you-mean.js';
import type { DescribedType } from '../../service/routes/documentation.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { describedTypes } from './described-types.js';

/** A type, as the service describes it. @throws UsageError when the service has no such type */
export async function describedType(api: Api, type: string): Promise<DescribedType> {
  const types = await describedTypes(api);
  const found = types.get(type);
  if (found) return found;
  const known = [...types.keys()];
  throw new UsageError(
    `There is no entity type '${type}'.${didYouMean(type, known)} The entity types are: ${known.join(', ')}.`,
  );
}

/**
 * The path of the entities of a type: `/api/control-plane/v1/LogicalServer`. @throws UsageError when the service has no such
 * type
 */
export async function pathOfType(api: Api, type: string): Promise<string> {
  return (await describedType(api, type)).path;
}

/** The names of the parts of a type's keys, in their order; nothing where a key is one text, or the type is unknown. */
export async function keyPartsOfType(api: Api, type: string): Promise<readonly string[] | undefined> {
  return (await describedTypes(api)).get(type)?.key;
}

/** The path of an entity. @throws UsageError when the service has no such type */
export async function pathOfEntity(api: Api, { type, key }: EntityRef): Promise<string> {
  return `${await pathOfType(api, type)}/${encodeURIComponent(key)}`;
}

/** The query `?on=` of a path, which names the entity on which an operation was opened. */
export function onEntity(ref: EntityRef): string {
  return `on=${encodeURIComponent(entityId(ref))}`;
}
