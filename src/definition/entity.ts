import type { z } from 'zod';
import type { Duration } from './duration.js';
import type { KeySchema } from './key-schema.js';
import type { Link, LinkValue } from './link.js';
import type { Predicate } from './predicate.js';
import type { DeclaredRejection } from './rejection.js';
import type { EntityRoles } from './entity-roles.js';
import type { State } from './state.js';
import type { OneShotTimer, PeriodicTimer } from './timer.js';

/** What may happen to an entity: in which states, and with which parameters. S2.1 */
export interface EventShape<StateName extends string = string> {
  /** Schema of the event's parameters; without one it takes none. */
  readonly params?: z.ZodType;
  /** The states in which the event is valid. */
  readonly in: StateName | readonly StateName[];
  /** The answer in states where it is not valid; a general one stands in for what is not given. S2.2 */
  readonly otherwise?: { readonly [S in StateName]?: DeclaredRejection };
  /**
   * What becomes of another operation that is under way on the entity: it goes on waiting for where the entity settles
   * (`continue`, the default), or ends canceled (`cancel`). It is told in either case. S4.8
   */
  readonly interrupts?: 'continue' | 'cancel';
  /** A running action is aborted instead of waited for, when the event is valid in its state. S3.2 */
  readonly aborts?: boolean;
  /**
   * Where its action leads nowhere else, the state is not entered anew: deadlines and time-outs go on, and so do the attempts of an
   * automatic action and their delay; the match of a subscription stays used up. S3.5, S4.5
   */
  readonly stays?: boolean;
  /** An operation that the event opens and that runs for longer is marked as hung. S5.3 */
  readonly budget?: Duration;
  /** Only for its own subscriptions and timers, for requests to cancel and for other entities: not from outside. */
  readonly internal?: boolean;
  /**
   * Another entity without which none comes to be by this event. Whoever creates one from outside is told so before anything
   * is created; the entity itself still answers for what changes after that, and where another entity creates it.
   */
  readonly needs?: NeededEntity;
  /** Who may raise it from outside; without it, those whom `roles.raise` of the entity names. S6.5 */
  readonly roles?: readonly string[];
  /** What people read instead of its name: `Capture the payment`. Programs go on with the name. */
  readonly displayName?: string;
  /** A sentence for people. */
  readonly description?: string;
}

/** What has to be there before an entity comes to be, and the answer where it is not. S2.2 */
export interface NeededEntity {
  /** The name of its type. */
  readonly type: string;
  /** Makes its key, as text, from the key (or its parts) of the entity that is to be: `z.string().transform(...)`. */
  readonly key: z.ZodType<string>;
  /** The answers in those of its states in which it is of no use; in all others it is. */
  readonly unless: Readonly<Record<string, DeclaredRejection>>;
  /** The answer where there is none, or it was deleted. */
  readonly absent: DeclaredRejection;
}

/** What an entity does: on which event (none: automatically), in which states, and where it may go. S3.1 */
export interface ActionShape<StateName extends string = string, EventName extends string = string> {
  readonly on?: EventName;
  readonly in: StateName | readonly StateName[];
  /** The states that it may go to. An action that goes nowhere re-enters its state, which needs no declaration. */
  readonly to?: StateName | readonly StateName[];
  /**
   * Between going to an unstable state and the first execution of its automatic action; instead of the state's own
   * `wait`, unless `goTo` gives another one. S3.5
   */
  readonly wait?: Duration;
  /**
   * All that it raises on other entities: `'SqlApplication.create'`, and `'SqlApplication.created'` for creating one without
   * an event. Anything else is then a defect. Without it, the action may raise anything, and less can be checked.
   */
  readonly raises?: readonly `${string}.${string}`[];
}

/** Raises an event when a pattern appears in the states of the successors. S4.3 */
export interface SubscriptionShape<EventName extends string = string> {
  readonly when: Predicate;
  readonly raise: EventName;
  /**
   * Which successors count: those of the current operation (default), or all of the entity's life. Of those that were deleted
   * in earlier operations, as many count as the answer of each pattern needs: `all` stays false once one was deleted in another
   * state than it asks for.
   */
  readonly among?: 'operation' | 'life';
  /** Runs from entering a state in which `raise` is valid; the event that it raises need not be the same. */
  readonly timeout?: OneShotTimer<EventName>;
}

/** A checked declaration of an entity type: plain data, safe to import anywhere. S1.1 */
export interface EntityDefinition<
  Name extends string,
  Key extends KeySchema,
  Properties extends z.ZodObject,
  States extends Record<string, State>,
  Events extends Record<string, EventShape>,
  Actions extends Record<string, ActionShape>,
  Links extends Record<string, Link> = Record<never, never>,
  Subordinates extends Record<string, z.ZodType> = Record<never, never>,
  Construct extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Fixed extends string = never,
> {
  readonly name: Name;
  readonly description?: string | undefined;
  /** Of one text, or of several named parts in their declared order: `z.object({ server: z.string(), name: z.string() })`. */
  readonly key: Key;
  readonly properties: Properties;
  readonly links: Links;
  /** Named collections that belong to the entity: each a record from a member's key to a value of this schema. S1.2 */
  readonly subordinates: Subordinates;
  /** Which properties and links are given when an entity comes to be; without it, none. S2.1 */
  readonly construct: Construct | undefined;
  /** The properties that only the construction sets, by a value or a default: no action changes them. S1.2 */
  readonly fixed: readonly Fixed[];
  /** What its rows are found by: the key or a part of it, a property, a link or the tenant. S1.1 */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly roles?: EntityRoles | undefined;
  readonly states: States;
  readonly events: Events;
  readonly actions: Actions;
  readonly subscriptions: Readonly<Record<string, SubscriptionShape>>;
  /** The event by which the entity answers a request to cancel; where it is not valid, the request is refused. S4.7 */
  readonly cancel?: string | undefined;
  readonly timers: Readonly<Record<string, PeriodicTimer>>;
}

/** Any declaration, for code that treats all alike. */
export type AnyEntity = EntityDefinition<
  string,
  KeySchema,
  z.ZodObject,
  Record<string, State>,
  Record<string, EventShape>,
  Record<string, ActionShape>,
  Record<string, Link>,
  Record<string, z.ZodType>,
  z.ZodObject,
  string
>;

export type StateOf<E extends AnyEntity> = keyof E['states'] & string;
export type EventOf<E extends AnyEntity> = keyof E['events'] & string;
export type ActionOf<E extends AnyEntity> = keyof E['actions'] & string;
export type PropertiesOf<E extends AnyEntity> = z.output<E['properties']>;
export type LinksOf<E extends AnyEntity> = { -readonly [L in keyof E['links']]: LinkValue<E['links'][L]> };
export type SubordinatesOf<E extends AnyEntity> = {
  readonly [S in keyof E['subordinates']]: Record<string, z.output<E['subordinates'][S]>>;
};

type FixedOf<E extends AnyEntity> = E['fixed'][number];

/** The properties as an action has them: those that are fixed cannot be assigned. S1.2 */
export type DraftOf<E extends AnyEntity> =
  string extends FixedOf<E>
    ? PropertiesOf<E>
    : [FixedOf<E>] extends [never]
      ? PropertiesOf<E>
      : Omit<PropertiesOf<E>, FixedOf<E>> & Readonly<Pick<PropertiesOf<E>, FixedOf<E> & keyof PropertiesOf<E>>>;

/** What a caller gives when an entity comes to be. */
export type ConstructInput<E extends AnyEntity> = z.input<NonNullable<E['construct']>>;

/** What a caller gives for an event: `undefined` where it takes no parameters. */
export type ParamsInput<E extends AnyEntity, Event extends EventOf<E>> = E['events'][Event] extends {
  params: infer P extends z.ZodType;
}
  ? z.input<P>
  : undefined;

/** What an action gets of an event, after its schema. */
export type ParamsOf<E extends AnyEntity, Event extends EventOf<E>> = E['events'][Event] extends {
  params: infer P extends z.ZodType;
}
  ? z.output<P>
  : undefined;
