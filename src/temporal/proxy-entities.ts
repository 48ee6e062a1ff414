import { ActivityFailure, proxyActivities, uuid4 } from '@temporalio/workflow';
import type { ConstructOption } from '../definition/action-context.js';
import { CREATED } from '../definition/created.js';
import type { AnyEntity, ConstructInput, EventOf, StateOf } from '../definition/entity.js';
import { splitArguments, type EventArguments } from '../definition/event-arguments.js';
import type { KeyOf } from '../definition/key-schema.js';
import type { OperationResult } from '../operations/status.js';
import type { AcceptedEvent } from '../protocol/accepted-event.js';
import { plain } from '../protocol/carried.js';
import { Rejected } from '../protocol/errors.js';
import { timedUuid } from '../protocol/request-id.js';
import type { BirthOptions, RaiseOptions } from '../protocol/request-options.js';
import { describeIssues } from '../protocol/schema-problems.js';
import {
  RAISE_ACTIVITY,
  REACH_ACTIVITY,
  READ_ACTIVITY,
  RESULT_ACTIVITY,
  type EntityActivities,
  type EntityState,
  type NamedEntity,
  type WorkflowEvent,
} from './entity-activities.js';
import { runOfThis } from './run.js';
import { rejectedFailure, rejectionOf } from './rejected-failure.js';

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

export interface EntitiesOptions {
  /** The task queue of a worker with `ReevePlugin`. Default: that of the workflow. */
  readonly taskQueue?: string;
}

/** How long one attempt of an activity may take. Those that wait longer for something are tried again. */
const ATTEMPT = '1m';

/** Gives a workflow of your own the means to create entities, raise events, read, and wait for outcomes and states. */
export function proxyEntities({ taskQueue }: EntitiesOptions = {}): Entities {
  const ask = async <R>(summary: string, run: (activities: EntityActivities) => Promise<R>): Promise<R> => {
    const activities = proxyActivities<EntityActivities>({
      ...{ startToCloseTimeout: ATTEMPT, summary, retry: { maximumInterval: '30s' } },
      ...(taskQueue !== undefined && { taskQueue }),
    });
    try {
      return await run(activities);
    } catch (thrown) {
      // It is told as what it is, and not as the failure of an activity that the workflow has not called itself.
      throw thrown instanceof ActivityFailure && rejectionOf(thrown.cause) ? thrown.cause : thrown;
    }
  };
  const raise = async (raised: Omit<WorkflowEvent, 'options'> & { readonly options: RaiseOptions & BirthOptions }) => {
    const { requestId = timedUuid(uuid4(), runOfThis().clock.now()) } = raised.options;
    const request = { ...plainEvent(raised), options: { ...raised.options, requestId } };
    return ask(`${raised.event} ${titleOf(raised)}`, (activities) => activities[RAISE_ACTIVITY](request));
  };
  const result = async (accepted: AcceptedEvent) =>
    ask(`result of ${accepted.event} ${titleOf(accepted.entity)}`, (activities) =>
      activities[RESULT_ACTIVITY](accepted),
    );
  const raiseOn: Entities['raise'] = async ({ name: type, ...entity }, key, event, ...rest) => {
    const { params, options } = splitArguments<RaiseOptions>({ name: type, ...entity }, event, rest);
    return raise({ type, key, event, params, options, creates: false });
  };
  return {
    create: async (entity, key, event, ...rest) => {
      const given = splitArguments<BirthOptions & ConstructOption<AnyEntity>>(entity, event, rest);
      const { construct, ...options } = given.options;
      const values = construct && { construct };
      return raise({ type: entity.name, key, event, params: given.params, ...values, options, creates: true });
    },
    construct: async ({ name: type }, key, values, options = {}) =>
      raise({ type, key, event: CREATED, construct: values, options, creates: true }),
    raise: raiseOn,
    perform: async (entity, key, event, ...rest) => result(await raiseOn(entity, key, event, ...rest)),
    result,
    read: async ({ name: type }, key) =>
      ask(`read ${titleOf({ type, key })}`, (activities) => activities[READ_ACTIVITY]({ type, key })),
    reach: async ({ name: type }, key, ...states) =>
      ask(`wait for ${titleOf({ type, key })} in ${states.join(', ')}`, (activities) =>
        activities[REACH_ACTIVITY]({ type, key }, states),
      ),
  };
}

/** A copy of what the event carries. @throws ApplicationFailure where that is no JSON: on its way it would become something else */
function plainEvent<T extends Pick<WorkflowEvent, 'params' | 'construct' | 'event'> & NamedEntity>(raised: T): T {
  const params = plain(raised.params, 'params');
  const construct = plain(raised.construct, 'construct');
  if (params.valid && construct.valid) return raised;
  const issues = [params, construct].flatMap((each) => (each.valid ? [] : each.issues));
  const entity = titleOf(raised);
  const message = `'${raised.event}' cannot be sent to ${entity}: ${describeIssues(issues)}`;
  throw rejectedFailure(new Rejected({ code: 'invalid_parameters', message, entity, event: raised.event, issues }));
}

function titleOf({ type, key }: NamedEntity): string {
  return `${type}/${typeof key === 'string' ? key : Object.values(key).join('/')}`;
}
