import type { z } from 'zod';
import type { Busy, BusyByState } from './busy.js';
import type { Duration } from './duration.js';
import type { Guard } from './guard.js';
import type { KeySchema } from './key-schema.js';
import type { Link, LinkValue } from './link.js';
import type { Migration, Renames } from './migration.js';
import type { Predicate } from './predicate.js';
import type { DeclaredRejection } from './rejection.js';
import type { EntityRoles } from './entity-roles.js';
import type { State } from './state.js';
import type { OneShotTimer, PeriodicTimer, StateLimit } from './timer.js';

/** Describes what may happen to an entity: in which states, and with which parameters. S2.1 */
export interface EventShape<StateName extends string = string, Subject extends string = string> {
  /** Schema of the event's parameters; without one it takes none. */
  readonly params?: z.ZodType;
  /** The states in which the event is valid. */
  readonly in: StateName | readonly StateName[];
  /** The answers in states where it is not valid. States without one give a general answer. S2.2 */
  readonly otherwise?: { readonly [S in StateName]?: DeclaredRejection };
  /**
   * Conditions over what the entity holds and over the parameters. The event is valid only where all of them hold; the first one
   * that does not gives the answer. S2.2
   */
  readonly when?: readonly Guard<Subject>[];
  /**
   * Sets what happens to another operation that is under way on the entity. It continues and waits until the entity settles
   * (`continue`, the default), or it ends canceled (`cancel`). It is informed in either case. S4.8
   */
  readonly interrupts?: 'continue' | 'cancel';
  /**
   * Sets how the event is handled while an action runs, in all states or by state. Default: the setting of the state, or of the entity,
   * and otherwise `wait`. S2.3, S3.2
   */
  readonly busy?: Busy | BusyByState<StateName>;
  /**
   * Sets whether the state is not entered again if the action leads nowhere else. Then deadlines, time-outs, the attempts of an automatic
   * action and their delay continue, and used matches of subscriptions stay used up. S3.5, S4.5
   */
  readonly stays?: boolean;
  /** An operation that the event opens and that runs for longer is marked as hung. S5.3 */
  readonly budget?: Duration;
  /**
   * Sets whether the event is closed to those outside: only its own subscriptions and timers, requests to cancel and other entities
   * raise it.
   */
  readonly internal?: boolean;
  /**
   * Sets whether an action can make an address at which this event is raised once from outside: `answerBy`. In a waiting state, the
   * operation lasts until the answer has come and its work has settled. A2, S1.5
   */
  readonly answer?: boolean;
  /**
   * Another entity that has to exist before this event can create one. A caller from outside gets an answer with what is missing before
   * anything is created. The new entity itself still has to deal with changes after that, and with creation by another entity.
   */
  readonly needs?: NeededEntity;
  /** Sets who may raise it from outside. Default: the roles in `roles.raise` of the entity. S6.5 */
  readonly roles?: readonly string[];
  /** Sets what people read instead of its name: `Capture the payment`. Programs still use the name. */
  readonly displayName?: string;
  /** A sentence for people. */
  readonly description?: string;
}

/** Another entity that has to exist before one can be created, and the answers where it does not. S2.2 */
export interface NeededEntity {
  /** The name of its type. */
  readonly type: string;
  /** Makes its key, as text, from the key (or its parts) of the entity that is to be: `z.string().transform(...)`. */
  readonly key: z.ZodType<string>;
  /** The answers in its states in which it does not serve. It serves in all other states. */
  readonly unless: Readonly<Record<string, DeclaredRejection>>;
  /** The answer where it does not exist, or was deleted. */
  readonly absent: DeclaredRejection;
}

/** Describes what an entity does: on which event (none: automatically), in which states, and where it may go. S3.1 */
export interface ActionShape<StateName extends string = string, EventName extends string = string> {
  /** The event that starts it. Without one, it runs by itself when one of its states is entered. */
  readonly on?: EventName;
  /** The states in which it runs. */
  readonly in: StateName | readonly StateName[];
  /** The states that it may go to. An action that goes nowhere re-enters its state, which needs no declaration. */
  readonly to?: StateName | readonly StateName[];
  /**
   * The time between going to an unstable state and the first execution of its automatic action. It replaces the state's own
   * `wait`; a wait that `goTo` gives replaces both. S3.5
   */
  readonly wait?: Duration;
  /**
   * All events that it raises on other entities: `'SqlApplication.create'`, and `'SqlApplication.created'` to create one
   * without an event. To raise any other event is a defect. Without this list, the action may raise anything, and less can be
   * checked.
   */
  readonly raises?: readonly `${string}.${string}`[];
}

/** Raises an event when a pattern appears in the states of the successors. S4.3 */
export interface SubscriptionShape<EventName extends string = string, StateName extends string = string> {
  /** The pattern of the successors: `all(...)`, `any(...)`, `none(...)`, `atLeast(...)`, `and`, `or`, `not`. */
  readonly when: Predicate;
  /** The event that is raised. */
  readonly raise: EventName;
  /** Sets in which of the states where `raise` is valid it fires. Default: in all of them. */
  readonly in?: StateName | readonly StateName[];
  /**
   * Sets which successors count: those of the current operation (default), or those of the entity's whole life. Successors that were
   * deleted in earlier operations count as far as they decide a pattern: `all` stays false once one was deleted in another
   * state than the one it asks for.
   */
  readonly among?: 'operation' | 'life';
  /** Runs from the entry into a state in which the subscription fires. It may raise another event than `raise`. */
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
  /** A sentence for people. */
  readonly description?: string | undefined;
  /** The number of what its snapshots look like: a whole number from 1 on, which grows where they have to be migrated. Q2 */
  readonly schema: number;
  /** Sets how an entity comes to each schema, by the number to which each leads. Q2 */
  readonly migrations: Readonly<Record<number, Migration>>;
  /** Sets what only has another name than in older declarations. Q2 */
  readonly renamed: Renames;
  /** One text, or several named parts in their declared order: `z.object({ server: z.string(), name: z.string() })`. */
  readonly key: Key;
  /** Schema of what the entity holds. Optional members have no value until an action sets one. */
  readonly properties: Properties;
  /** Its links to other entities, by name: `link(Type)`, `links(Type)`. */
  readonly links: Links;
  /** Named collections that belong to the entity: each a record from a member's key to a value of this schema. S1.2 */
  readonly subordinates: Subordinates;
  /** Sets which properties and links are given when an entity is created. Default: none. S2.1 */
  readonly construct: Construct | undefined;
  /** The properties that only the construction sets, by a value or a default: no action changes them. S1.2 */
  readonly fixed: readonly Fixed[];
  /**
   * The properties that the store holds encrypted. They can be read by those who may read the entity, and can be neither filtered,
   * sorted nor summed. Q5
   */
  readonly secret: readonly string[];
  /** Sets what its rows are found by: the key or a part of it, a property, a link or the tenant. S1.1 */
  readonly dimensions: Readonly<Record<string, string>>;
  /** Sets who may read it, raise its events and operate it. Without it, only the role `operator`. */
  readonly roles?: EntityRoles | undefined;
  /** Its states by name: one `initial()`, the others `stable()`, `unstable()`, `terminal()` or `deleted()`. */
  readonly states: States;
  /** Its events: which can happen in which states, by name. */
  readonly events: Events;
  /** Its actions: the work that leads from state to state, by name. `implementActions` has their code. */
  readonly actions: Actions;
  /** Events that it raises on itself when its successors are in certain states, by name. */
  readonly subscriptions: Readonly<Record<string, SubscriptionShape>>;
  /** Sets what becomes of events while an action runs, where neither they nor the state set it. Default: they wait. S2.3 */
  readonly busy?: Busy | undefined;
  /** The event by which the entity answers a request to cancel; where it is not valid, the request is refused. S4.7 */
  readonly cancel?: string | undefined;
  /** Events that it raises on itself again and again, by name. */
  readonly timers: Readonly<Record<string, PeriodicTimer>>;
  /** Time limits that go on across several states. S4.5 */
  readonly limits?: Readonly<Record<string, StateLimit>> | undefined;
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

/** The names of the states of a declaration. */
export type StateOf<E extends AnyEntity> = keyof E['states'] & string;
/** The names of the events of a declaration. */
export type EventOf<E extends AnyEntity> = keyof E['events'] & string;
/** The names of the actions of a declaration. */
export type ActionOf<E extends AnyEntity> = keyof E['actions'] & string;
/** The properties of an entity, as its schema gives them. */
export type PropertiesOf<E extends AnyEntity> = z.output<E['properties']>;
/** The links of an entity: for each a key, several keys, or none. */
export type LinksOf<E extends AnyEntity> = { -readonly [L in keyof E['links']]: LinkValue<E['links'][L]> };
/** The collections of an entity, each by the keys of its members. */
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

/** Describes what a caller gives when an entity is created. */
export type ConstructInput<E extends AnyEntity> = z.input<NonNullable<E['construct']>>;

/** Describes what a caller gives for an event: `undefined` where it takes no parameters. */
export type ParamsInput<E extends AnyEntity, Event extends EventOf<E>> = E['events'][Event] extends {
  params: infer P extends z.ZodType;
}
  ? z.input<P>
  : undefined;

/** The events for which an action can make an address: those that are declared as answers. A2 */
export type AnswerEvent<Events> = string extends keyof Events
  ? string
  : keyof { readonly [Event in keyof Events as Events[Event] extends { answer: true } ? Event : never]: unknown } &
      string;

/** The parameters of an event that an action gets: what the schema makes of them. */
export type ParamsOf<E extends AnyEntity, Event extends EventOf<E>> = E['events'][Event] extends {
  params: infer P extends z.ZodType;
}
  ? z.output<P>
  : undefined;
