import type { AnyEntity } from '../../definition/entity.js';
import { publicEvents } from '../declared-schema.js';

/** What can be asked next, and where the answer or the request has what that takes: OpenAPI's links. */
export type Links = Readonly<Record<string, { operationId: string; parameters: Record<string, string> }>>;

/** Where the key of the entity is that a call is about. */
export type KeyPlace = '$request.path.key' | '$request.body#/key';

/** From an answer that names an operation to that operation; the entity is named where it is known where its key is. */
export function operationLinks({ name }: AnyEntity, key?: KeyPlace): Links {
  const on = key !== undefined && { on: `${name}/{${key}}` };
  return linksTo(['readOperation', 'cancelOperation'], { id: '$response.body#/request_id', ...on });
}

/** From a creation to all that can be asked of the entity. */
export function entityLinks(entity: AnyEntity): Links {
  const { name } = entity;
  const events = publicEvents(entity).map((event) => `raise_${name}_${event}`);
  return linksTo([`read${name}`, `allowedEventsOf${name}`, ...events], { key: '$request.body#/key' });
}

function linksTo(calls: readonly string[], parameters: Readonly<Record<string, string>>): Links {
  return Object.fromEntries(calls.map((operationId) => [operationId, { operationId, parameters: { ...parameters } }]));
}
