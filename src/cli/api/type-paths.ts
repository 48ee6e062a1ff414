import { entityId, type EntityRef } from '../../protocol/names.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';

/** Where the entities of each type are: `/api/control-plane/v1/LogicalServer`. */
type TypePaths = ReadonlyMap<string, string>;

const known = new WeakMap<Api, Promise<TypePaths>>();

/** Where the entities of a type are. @throws UsageError when the service has no such type */
export async function pathOfType(api: Api, type: string): Promise<string> {
  const paths = await pathsOf(api);
  const path = paths.get(type);
  if (path !== undefined) return path;
  throw new UsageError(`There is no entity type '${type}'. There are: ${[...paths.keys()].join(', ')}.`);
}

/** Where an entity is. @throws UsageError when the service has no such type */
export async function pathOfEntity(api: Api, { type, key }: EntityRef): Promise<string> {
  return `${await pathOfType(api, type)}/${encodeURIComponent(key)}`;
}

/** Where an entity is listed among those of its operation: `?on=` of a path. */
export function onEntity(ref: EntityRef): string {
  return `on=${encodeURIComponent(entityId(ref))}`;
}

/** Asked once: the service says it, whatever the project at hand declares. */
function pathsOf(api: Api): Promise<TypePaths> {
  const paths = known.get(api) ?? readPaths(api);
  known.set(api, paths);
  return paths;
}

async function readPaths(api: Api): Promise<TypePaths> {
  const { body } = await api.ask('GET', '/docs/types.json');
  return new Map(Object.entries(body as Readonly<Record<string, string>>));
}
