/*
 * The events of an entity as operations of a Nexus service (`nexus-rpc` 0.0.3, which is experimental). It is loaded by those that call it,
 * also in workflows.
 */
import { operation, service, type OperationDefinition, type ServiceDefinition } from 'nexus-rpc';
import type { ConstructOption } from '../definition/action-context.js';
import type { AnyEntity, EventOf, ParamsInput } from '../definition/entity.js';
import type { KeyOf } from '../definition/key-schema.js';
import type { OperationResult } from '../operations/status.js';

/** The input of an event's operation: on which entity it is raised, and what it takes. */
export type NexusEvent<E extends AnyEntity, Event extends EventOf<E>> = {
  readonly key: KeyOf<E>;
  /** The same id again gives the first outcome. S2.5 */
  readonly requestId?: string;
  /** The tenant of an entity that is created. S6.5 */
  readonly tenant?: string;
} & (undefined extends ParamsInput<E, Event>
  ? { readonly params?: ParamsInput<E, Event> }
  : { readonly params: ParamsInput<E, Event> }) &
  Partial<ConstructOption<E>>;

/** Describes each event as an operation. It is complete when all that the event sets off has settled, and gives the outcome. */
export type EntityService<E extends AnyEntity> = ServiceDefinition<{
  readonly [Event in EventOf<E>]: OperationDefinition<NexusEvent<E, Event>, OperationResult>;
}>;

/** Gives the Nexus service of a type of entities, for workers that serve it (`nexus` of `ReevePlugin`) and workflows that call it. */
export function entityService<E extends AnyEntity>(entity: E): EntityService<E> {
  const operations = Object.keys(entity.events).map((event) => [event, operation<unknown, OperationResult>()]);
  return service(entity.name, Object.fromEntries(operations)) as unknown as EntityService<E>;
}
