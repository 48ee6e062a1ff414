import type { ConstructOption } from '../definition/action-context.js';
import { CREATED } from '../definition/created.js';
import type { AnyEntity, ConstructInput, EventOf, StateOf } from '../definition/entity.js';
import { splitArguments, type EventArguments } from '../definition/event-arguments.js';
import type { KeyOf } from '../definition/key-schema.js';
import type { OperationResult } from '../operations/status.js';
import type { AcceptedEvent } from '../protocol/accepted-event.js';
import type { BirthOptions, RaiseOptions } from '../protocol/request-options.js';
import type { EntityState } from './entity-activities.js';
import { entityCalls } from './entity-calls.js';

/**
 * Entities for a workflow of your own. Each call is an activity of a worker with `ReevePlugin`. Its events are raised once, also where
 * the worker is lost in the middle.
 */
export interface Entities {
  /**
   * Creates an entity by an event. If it exists, the event goes to it.
   * @throws ApplicationFailure of the type `Rejected`, as all of these do: see `rejectionOf`
   */
  create<E extends AnyEntity, Event extends EventOf<E>>(
    entity: E,
    key: KeyOf<E>,
    event: Event,
    ...rest: EventArguments<E, Event, BirthOptions & ConstructOption<E>>
  ): Promise<AcceptedEvent>;
  /** Creates an entity without an event: it begins in its initial state, with these values. S2.1 */
  construct<E extends AnyEntity>(
    entity: E,
    key: KeyOf<E>,
    values: ConstructInput<E>,
    options?: BirthOptions,
  ): Promise<AcceptedEvent>;
  raise<E extends AnyEntity, Event extends EventOf<E>>(
    entity: E,
    key: KeyOf<E>,
    event: Event,
    ...rest: EventArguments<E, Event, RaiseOptions>
  ): Promise<AcceptedEvent>;
  /** Raises an event, and waits for the outcome of its operation: until all that it sets off has settled. */
  perform<E extends AnyEntity, Event extends EventOf<E>>(
    entity: E,
    key: KeyOf<E>,
    event: Event,
    ...rest: EventArguments<E, Event, RaiseOptions>
  ): Promise<OperationResult>;
  /** Waits for the outcome of an event's operation. */
  result(accepted: AcceptedEvent): Promise<OperationResult>;
  /** Asks to cancel an event's operation: each of its entities answers as it declares. `result` tells what has become of it. S4.7 */
  cancel(accepted: AcceptedEvent): Promise<void>;
  /** Reads an entity, also one that was deleted. Gives nothing where there was none. */
  read<E extends AnyEntity>(entity: E, key: KeyOf<E>): Promise<EntityState | undefined>;
  /**
   * Waits until the entity is found in one of the states. One that does not exist yet is waited for. It is looked after every second, and
   * every 30 seconds when that lasts, so a state in which it does not rest can be missed. Combine several by `Promise.all` and
   * `Promise.race`, and limit the time by `CancellationScope.withTimeout`.
   * @throws ApplicationFailure of the type `Rejected`, with the code `gone` where it was deleted
   */
  reach<E extends AnyEntity>(entity: E, key: KeyOf<E>, ...states: readonly StateOf<E>[]): Promise<EntityState>;
}

/** Holds where the calls of entities run. */
export interface EntitiesOptions {
  /** The task queue of a worker with `ReevePlugin`. Default: that of the workflow. */
  readonly taskQueue?: string;
}

/** Gives a workflow of your own the means to create entities, raise events, read, and wait for outcomes and states. */
export function proxyEntities({ taskQueue }: EntitiesOptions = {}): Entities {
  const calls = entityCalls(taskQueue);
  const raise: Entities['raise'] = async (entity, key, event, ...rest) => {
    const { params, options } = splitArguments<RaiseOptions>(entity, event, rest);
    return calls.raise({ type: entity.name, key, event, params, options, creates: false });
  };
  return {
    create: async (entity, key, event, ...rest) => {
      const given = splitArguments<BirthOptions & ConstructOption<AnyEntity>>(entity, event, rest);
      const { construct, ...options } = given.options;
      const values = construct && { construct };
      return calls.raise({ type: entity.name, key, event, params: given.params, ...values, options, creates: true });
    },
    construct: async ({ name: type }, key, values, options = {}) =>
      calls.raise({ type, key, event: CREATED, construct: values, options, creates: true }),
    raise,
    perform: async (entity, key, event, ...rest) => calls.result(await raise(entity, key, event, ...rest)),
    result: calls.result,
    cancel: calls.cancel,
    read: async ({ name: type }, key) => calls.read({ type, key }),
    reach: async ({ name: type }, key, ...states) => calls.reach({ type, key }, states),
  };
}
