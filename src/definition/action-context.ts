import type { Description } from './component-description.js';
import type { EndRecord } from './end-record.js';
import type {
  ActionOf,
  AnswerEvent,
  AnyEntity,
  ConstructInput,
  DraftOf,
  EventOf,
  LinksOf,
  ParamsOf,
  StateOf,
  SubordinatesOf,
} from './entity.js';
import type { AnswerAddress } from './answer-address.js';
import type { CallOptions } from './affinity.js';
import type { AnyOutput, CollectibleCall, Collection, CollectOptions } from './collect.js';
import type { Duration } from './duration.js';
import type { EventArguments } from './event-arguments.js';
import type { EntityView, ReadOptions, Reservable, ReservedView, ReserveOptions } from './entity-view.js';
import type { KeyOf, KeyPartsOf } from './key-schema.js';
import type { Call, CallInput, CallOutput } from './resource.js';
import type { Health } from './state.js';

type NamesIn<T> = T extends readonly (infer N extends string)[] ? N : T extends string ? T : never;

/** The states that an action may go to. */
export type TargetOf<E extends AnyEntity, A extends ActionOf<E>> = E['actions'][A] extends { to: infer T }
  ? NamesIn<T> & StateOf<E>
  : never;

/** The states in which an action may run. */
export type SourceOf<E extends AnyEntity, A extends ActionOf<E>> = NamesIn<E['actions'][A]['in']> & StateOf<E>;

/** Describes where an action wants to go; made by `goTo`. */
export interface Transition<Target extends string = string> {
  readonly to: Target;
  /** The time before the next execution of the automatic action of `to`, in milliseconds. */
  readonly waitMs?: number;
  readonly error?: TransitionError;
  /** Is true if the automatic action goes to its own state for new work, and not for another attempt. S3.4 */
  readonly round?: 'next';
}

/** The states to which the automatic action of that state may go again. */
type RoundOf<E extends AnyEntity, A extends ActionOf<E>> = E['actions'][A] extends { on: string }
  ? never
  : TargetOf<E, A> & SourceOf<E, A>;

/** An error that an action reports to the operation without throwing it. */
export interface ReportedError {
  readonly code: string;
  readonly message: string;
}

/** An error with which an action leads to a state. */
export interface TransitionError extends ReportedError {
  /** Is true if it answers the caller, such as a refused approval: the operation fails, and no operator has to fix anything. */
  readonly answers?: boolean;
}

/** An entity that this one created, or on which it raised an event, as last reported. */
export interface SuccessorView {
  readonly type: string;
  readonly key: string;
  readonly role?: string | undefined;
  /** The operation in which it was created or the event raised. */
  readonly operation: string;
  /** Shows how the last event that was raised on it ended, or how far it is. S3.3 */
  readonly event: 'pending' | 'accepted' | 'rejected' | 'settled';
  /** The code of the rejection, with `rejected`. */
  readonly rejection?: ReportedError | undefined;
  /** The last state in which it settled; none before the first report. */
  readonly state?: string | undefined;
  readonly health?: Health | undefined;
  readonly error?: ReportedError | undefined;
  /** Is true if it was lost: its life has ended without a report. S4.4 */
  readonly lost?: boolean | undefined;
}

/** Describes how a waiting raise ended. */
export type RaiseOutcome =
  | { readonly status: 'settled'; readonly state: string; readonly health: Health; readonly error?: ReportedError }
  | { readonly status: 'rejected'; readonly code: string; readonly message: string };

type SuccessorOptions = { readonly role?: string };
type RaiseOptions = SuccessorOptions & {
  /**
   * Tells whether a rejection is expected, so that the operation does not fail because of it. Default: only when a subscription asks
   * for successors that have rejected an event. S3.6
   */
  readonly mayBeRejected?: boolean;
};
/** The values for the construction of an entity. They can be left out where its type asks for none. S2.1 */
export type ConstructOption<O extends AnyEntity> =
  Record<never, never> extends ConstructInput<O>
    ? { readonly construct?: ConstructInput<O> }
    : { readonly construct: ConstructInput<O> };
type WaitOptions = SuccessorOptions & {
  /** How long to wait at most. After that the action fails with `wait_timed_out`. S3.8 */
  readonly within: Duration;
};

/** Describes what any action can do beyond its own entity, for functions that several actions share. */
export interface ResourceContext {
  readonly key: string;
  /** 1 for the first execution since the state was entered. */
  readonly attempt: number;
  /** The operation that the action is part of. */
  readonly operation: string;
  readonly successors: readonly SuccessorView[];
  /** Milliseconds since 1970. The same when the run is replayed. */
  now(): number;
  /** Sets the delay before the next attempt, for an automatic action that fails or stays after this call. S3.5 */
  retryAfter(delay: Duration): void;
  /** Fails the action at once and permanently: no further attempts are made. S3.5 */
  giveUp(error: ReportedError): never;

  /**
   * Calls a resource and waits for its answer. With `on`, it runs on the worker that made an earlier call. A5
   * @throws CallFailed when the resource fails, with its code
   */
  call<C extends Call>(call: C, input: CallInput<C>, options?: CallOptions): Promise<CallOutput<C>>;

  /**
   * Runs components, and waits until all of them have ended. Aborting the action ends them first. They have to end by themselves,
   * and to be 200 at most: a state deploys others. W1
   * @returns how they have ended; `type` is `normal`, `abnormal` or another word that a component has given
   * @throws DeclarationError with all that is wrong with the description
   */
  run(description: Description): Promise<EndRecord>;

  /**
   * Makes many calls as one step, and goes on once: with as many answers as the rule wants, or when so many cannot come any more.
   * Calls that are still under way then are cancelled; what they say later is ignored. All outputs together may have 256 KB. A3
   * @throws CollectFailed when fewer answers came than the rule wants, or several where that is to fail
   */
  collect<const Calls extends readonly CollectibleCall[]>(
    calls: Calls & { readonly [I in keyof Calls]: CollectibleCall<Calls[I][0]> },
    options: CollectOptions<AnyOutput<Calls>>,
  ): Promise<Collection<Calls>>;

  /**
   * Reads another entity as it is committed; nothing when it does not exist. It may have changed a moment later.
   * @throws WaitTimedOut
   */
  read<O extends AnyEntity>(entity: O, key: KeyOf<O>, options?: ReadOptions): Promise<EntityView<O> | undefined>;

  /**
   * Reads another entity and keeps it as it is until the action ends: everything but the events of this entity waits there.
   * Gives nothing when it does not exist. What came there before goes first, and so does what the other entity had to do
   * itself. It can be reserved again, for a new lease. S3.6
   * @throws WaitTimedOut, and Defect when an entity that comes later in the order of type and key is reserved already
   */
  reserve<O extends AnyEntity>(
    entity: O,
    key: KeyOf<O>,
    options?: ReserveOptions,
  ): Promise<ReservedView<O> | undefined>;
  /** Reserves several entities, one after the other in the order of type and key, whatever the order in which they are given. */
  reserveAll<const Targets extends readonly Reservable[]>(
    targets: Targets & { readonly [I in keyof Targets]: Reservable<Targets[I][0]> },
    options?: ReserveOptions,
  ): Promise<{ readonly [I in keyof Targets]: ReservedView<Targets[I][0]> | undefined }>;

  /** Creates an entity by an event when the action ends. It becomes a successor, and its reports come later. */
  create<O extends AnyEntity, Event extends EventOf<O>>(
    entity: O,
    key: KeyOf<O>,
    event: Event,
    ...rest: EventArguments<O, Event, RaiseOptions & ConstructOption<O>>
  ): void;
  /** Creates an entity without an event when the action ends: it begins in its initial state. S2.1 */
  construct<O extends AnyEntity>(entity: O, key: KeyOf<O>, values: ConstructInput<O>, options?: RaiseOptions): void;
  /**
   * Raises an event on an entity when the action ends. The entity becomes a successor, which shows how the event ended. A
   * rejection makes the operation fail, unless it is expected (`mayBeRejected`, or a subscription that asks for it).
   *
   * The events that an action raises on entities that it has reserved are admitted by all of them or by none. Before the action
   * is committed, each of them decides the first event that is to come. Where one would reject it, or its lease has ended, the
   * action fails with that code and has had no effect. Of several events on one entity, only the first is decided beforehand.
   * Each other one is decided in the state that the one before it leaves, and a rejection of it is like any other.
   */
  raise<O extends AnyEntity, Event extends EventOf<O>>(
    entity: O,
    key: KeyOf<O>,
    event: Event,
    ...rest: EventArguments<O, Event, RaiseOptions>
  ): void;
  /**
   * Creates an entity now and waits until it settles.
   * @throws WaitTimedOut, WaitRefused: as of `raiseAndWait`
   */
  createAndWait<O extends AnyEntity, Event extends EventOf<O>>(
    entity: O,
    key: KeyOf<O>,
    event: Event,
    ...rest: EventArguments<O, Event, WaitOptions & ConstructOption<O>>
  ): Promise<RaiseOutcome>;
  /**
   * Raises an event now and waits until the entity settles. Where the wait ends without an answer, the event is withdrawn: it
   * does not begin any more. An event that has begun continues, and the next attempt waits for it again. The wait includes the
   * judgements of watchers, except of those that are reserved or whose own action waits.
   * @throws WaitTimedOut, WaitRefused
   */
  raiseAndWait<O extends AnyEntity, Event extends EventOf<O>>(
    entity: O,
    key: KeyOf<O>,
    event: Event,
    ...rest: EventArguments<O, Event, WaitOptions>
  ): Promise<RaiseOutcome>;
}

/** Describes what an action can do. All changes are made together when it ends, or not at all when it throws (S3.2). */
export interface ActionContext<E extends AnyEntity, A extends ActionOf<E>> extends ResourceContext {
  readonly type: E['name'];
  /** The parts of `key` by their names; `undefined` where a key of the type is one text. */
  readonly keyParts: KeyPartsOf<E>;
  /** The state in which the action runs: one of those that its declaration gives as `in`. */
  readonly state: SourceOf<E, A>;
  /** Changes are seen by others when the action has ended. What the declaration calls `fixed` cannot be changed. */
  readonly properties: DraftOf<E>;
  /** Keys of other entities; changes are seen by others when the action has ended. */
  readonly links: LinksOf<E>;
  /** Shows what belongs to the entity, by collection and member; changes are seen by others when the action has ended. S1.2 */
  readonly subordinates: SubordinatesOf<E>;
  /**
   * Makes an address by which a person or program outside can raise this event once, while the entity serves other events. The event is
   * declared with `answer: true`. Give the address to a call as part of its input (`answerAddress` is its schema). It opens when the action ends well: what comes before that waits. It closes
   * when the state that the action has entered is left, or after `within`. The same place in the action has the same address in
   * all attempts. A2
   */
  answerBy(event: AnswerEvent<E['events']>, options: { readonly within: Duration }): AnswerAddress;
  /** Ends the action in a state that it declares: `return app.goTo('Ready')`. */
  goTo<Target extends TargetOf<E, A>>(
    target: Target,
    options?: { readonly wait?: Duration; readonly error?: TransitionError },
  ): Transition<Target>;
  /**
   * Ends an automatic action, and runs it again in the same state for the next piece of work: `return app.nextRound()`. Its calls
   * have new idempotency keys, and its attempts are counted again; deadlines continue. `goTo` to the same state is another attempt of
   * the same work. Its own state has to be one of its targets. It runs again after `wait`, or after the delay of a first retry. S3.4
   */
  nextRound: [RoundOf<E, A>] extends [never]
    ? never
    : (options?: { readonly wait?: Duration; readonly error?: TransitionError }) => Transition<RoundOf<E, A>>;
}

/** Describes what triggered an action: its event's parameters, where it has an event. */
export interface ActionInput<Params> {
  readonly params: Params;
}

type TriggerOf<E extends AnyEntity, A extends ActionOf<E>> = E['actions'][A] extends { on: infer On extends EventOf<E> }
  ? ParamsOf<E, On>
  : undefined;

/** An action: ordinary async code that runs as durable workflow code. Returning no transition re-enters the state. */
export type Action<E extends AnyEntity, A extends ActionOf<E>> = (
  app: ActionContext<E, A>,
  input: ActionInput<TriggerOf<E, A>>,
) => Promise<Transition<TargetOf<E, A>> | void>;
