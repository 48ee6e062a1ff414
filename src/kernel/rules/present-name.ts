import type { AnyEntity } from '../../definition/entity.js';
import type { RaiseRequest } from '../../protocol/request.js';

/**
 * The request with the present name of its event, and with its older names, so that a request which an older build has taken is
 * known again. Q2
 */
export function underPresentName(entity: AnyEntity, request: RaiseRequest): RaiseRequest {
  const renames = entity.renamed.events;
  const event = presentName(entity, request.event);
  const formerly = renames ? Object.keys(renames).filter((name) => renames[name] === event) : [];
  if (formerly.length === 0 && request.formerly === undefined) return request;
  const { formerly: _, ...given } = request;
  return { ...given, event, ...(formerly.length > 0 && { formerly }) };
}

/** The present name of an event. */
export function presentName({ renamed }: AnyEntity, event: string): string {
  const { events = {} } = renamed;
  return Object.hasOwn(events, event) ? events[event]! : event;
}
