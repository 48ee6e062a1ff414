import type { ServedType, WatchedEntity } from '../api/shapes.js';
import { shellWord } from '../../definition/shell-word.js';
import type { Call } from '../parts/commands.js';
import type { Schema } from './schema.js';

/** A part of a command line with parameters; nothing where there are none. */
export function withParams(params: unknown): string {
  return params === undefined || Object.keys(params as object).length === 0
    ? ''
    : ` --params ${shellWord(JSON.stringify(params))}`;
}

/** The path of an entity in the API. */
export function pathOfEntity({ path }: Pick<ServedType, 'path'>, key: string): string {
  return `${path}/${encodeURIComponent(key)}`;
}

/** Raises an event on an entity as it was seen: at another version, it is refused. */
export function raiseCall(
  type: ServedType,
  entity: WatchedEntity,
  event: string,
  given: Readonly<Record<string, unknown>>,
): Call {
  const takes = schemaOfEvent(type, event) !== undefined;
  return {
    method: 'POST',
    path: `${pathOfEntity(type, entity.key)}/${event}`,
    headers: { 'if-match': entity['@odata.etag'] },
    ...(takes && { json: given }),
    reeve: `reeve raise ${shellWord(entity.id)} ${event}${takes ? withParams(given) : ''} --if-match ${entity.version} --wait`,
  };
}

/** Gives the schema of what an event takes from whoever raises it; none where it takes nothing. */
export function schemaOfEvent(type: ServedType, event: string): Schema | undefined {
  return type.events.find(({ name }) => name === event)?.params as Schema | undefined;
}

/** An operator's call: the action whose attempts are used up runs again. */
export function retryCall(
  type: ServedType,
  entity: Pick<WatchedEntity, 'key' | 'id'> & { readonly '@odata.etag'?: string },
): Call {
  const tag = entity['@odata.etag'];
  return {
    method: 'POST',
    path: `${pathOfEntity(type, entity.key)}/retry-action`,
    ...(tag !== undefined && { headers: { 'if-match': tag } }),
    reeve: `reeve retry ${shellWord(entity.id)}`,
  };
}

/** An operator's call: nobody waits any longer for a successor. */
export function markLostCall(type: ServedType, entity: WatchedEntity, successor: string): Call {
  return {
    method: 'POST',
    path: `${pathOfEntity(type, entity.key)}/mark-lost`,
    json: { successor },
    reeve: `reeve mark-lost ${shellWord(entity.id)} ${shellWord(successor)}`,
  };
}

/** Asks the entities of an operation to cancel. */
export function cancelCall(operation: string, on: string | undefined): Call {
  const query = on === undefined ? '' : `?on=${encodeURIComponent(on)}`;
  return {
    method: 'POST',
    path: `/api/operations/${encodeURIComponent(operation)}/cancel${query}`,
    reeve: `reeve operations cancel ${shellWord(operation)} --wait`,
  };
}

/** Lets an entity come to be. */
export function createCall(
  type: ServedType,
  given: { readonly key?: unknown; readonly parameters?: unknown; readonly construct?: unknown },
  event: string | undefined,
): Call {
  const { key = '', parameters, construct } = given;
  const text =
    typeof key === 'string'
      ? key
      : Object.values(key ?? {})
          .map(String)
          .join(',');
  const takes = event !== undefined && schemaOfEvent(type, event) !== undefined;
  const built = type.construct !== undefined && Object.keys(construct ?? {}).length > 0;
  return {
    method: 'POST',
    path: type.path,
    json: {
      key,
      ...(event !== undefined && { event }),
      ...(takes && { parameters: parameters ?? {} }),
      ...(built && { construct }),
    },
    reeve:
      `reeve create ${shellWord(`${type.name}/${text}`)}${eventOption(event)}` +
      `${takes ? withParams(parameters ?? {}) : ''}${built ? ` --construct ${shellWord(JSON.stringify(construct))}` : ''} --wait`,
  };
}

function eventOption(event: string | undefined): string {
  if (event === undefined) return ' --no-event';
  return event === 'create' ? '' : ` --event ${event}`;
}
