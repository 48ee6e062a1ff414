import type { EntityRepresentation } from '../../service/entity-representation.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { Api } from './api.js';
import { Problem } from './problem.js';
import { pathOfEntity } from './type-paths.js';

export type { EntityRepresentation } from '../../service/entity-representation.js';

/** An entity as the service tells it, even if it was deleted. */
export interface EntityReading {
  readonly entity: EntityRepresentation;
  readonly gone: boolean;
}

/** Tells whether an event may be raised now. S2.6 */
export interface AllowedEvent {
  readonly event: string;
  readonly allowed: boolean;
  /** The action or reservation that would have to end first. */
  readonly behind?: string;
  readonly rejection?: { readonly code: string; readonly message: string };
}

/** An entity as it is. Where no worker answers, it is as the store has it, and `stale`. S5.2 @throws Problem */
export async function readEntity(api: Api, ref: EntityRef): Promise<EntityReading> {
  try {
    const { body } = await api.ask('GET', await pathOfEntity(api, ref));
    return { entity: body as EntityRepresentation, gone: false };
  } catch (thrown) {
    const last = thrown instanceof Problem && thrown.code === 'gone' ? thrown.details['last'] : undefined;
    if (last === undefined) throw thrown;
    return { entity: last as EntityRepresentation, gone: true };
  }
}

/** Which events are valid now, and why the others are not. @throws Problem */
export async function readAllowedEvents(api: Api, ref: EntityRef): Promise<readonly AllowedEvent[]> {
  const { body } = await api.ask('GET', `${await pathOfEntity(api, ref)}/allowed-events`);
  return (body as { readonly events: readonly AllowedEvent[] }).events;
}

/** How an entity changes, until it is deleted. @throws Problem, Unreachable */
export async function* followEntity(api: Api, ref: EntityRef): AsyncGenerator<EntityReading> {
  for await (const { data } of api.follow(`${await pathOfEntity(api, ref)}/change-stream`)) {
    const { gone, ...entity } = data as EntityRepresentation & { readonly gone: boolean };
    yield { entity, gone };
  }
}

/** The value of `If-Match` for a version: a number, which counts for the present life, or the ETag of a read. */
export async function versionTag(api: Api, ref: EntityRef, version: string): Promise<string> {
  if (!/^\d{1,15}$/.test(version)) return version.startsWith('"') ? version : `"${version}"`;
  const { entity } = await readEntity(api, ref);
  return `"${entity.life}.${version}"`;
}

/** `LogicalServer/orders` */
export function nameOf({ type, key }: EntityRef): string {
  return entityId({ type, key });
}
