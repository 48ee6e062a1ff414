import type { AnyEntity } from '../../definition/entity.js';
import { publicEvents } from '../declared-schema.js';

/** OpenAPI's links: what can be asked next, and where the request or the answer has the parameters for it. */
export type Links = Readonly<Record<string, { operationId: string; parameters: Record<string, string> }>>;

/** The place where a call has the key of its entity. */
export type KeyPlace = '$request.path.key' | '$request.body#/key';

/**
 * Links from an answer that names an operation to that operation. They name the entity too, where the place of its key is known.
 */
export function operationLinks({ name }: AnyEntity, key?: KeyPlace): Links {
  const on = key !== undefined && { on: `${name}/{${key}}` };
  return linksTo(['readOperation', 'cancelOperation'], { id: '$response.body#/request_id', ...on });
}

/** Links from a creation to all that can be asked of the entity. */
export function entityLinks(entity: AnyEntity): Links {
  const { name } = entity;
  const events = publicEvents(entity).map((event) => `raise_${name}_${event}`);
  return linksTo([`read${name}`, `allowedEventsOf${name}`, ...events], { key: '$request.body#/key' });
}

function linksTo(calls: readonly string[], parameters: Readonly<Record<string, string>>): Links {
  return Object.fromEntries(calls.map((operationId) => [operationId, { operationId, parameters: { ...parameters } }]));
}
