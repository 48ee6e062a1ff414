import type { z } from 'zod';
import { checkDeclaration } from './check.js';
import type { Duration } from './duration.js';
import type { Predicate } from './predicate.js';
import type { DeclaredRejection } from './rejection.js';
import { makeShareable } from './shareable.js';
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
  /** An operation that the event opens and that runs for longer is marked as hung. S5.3 */
  readonly budget?: Duration;
  /** A sentence for people. */
  readonly description?: string;
}

/** What an entity does: on which event (none: automatically), in which states, and where it may go. S3.1 */
export interface ActionShape<StateName extends string = string, EventName extends string = string> {
  readonly on?: EventName;
  readonly in: StateName | readonly StateName[];
  /** The states that it may go to. An action that goes nowhere re-enters its state, which needs no declaration. */
  readonly to?: StateName | readonly StateName[];
}

/** Raises an event when a pattern appears in the states of the successors. S4.3 */
export interface SubscriptionShape<EventName extends string = string> {
  readonly when: Predicate;
  readonly raise: EventName;
  /** Which successors count: those of the current operation (default), or all of the entity's life. */
  readonly among?: 'operation' | 'life';
  /** Runs from entering a state in which `raise` is valid; the event that it raises need not be the same. */
  readonly timeout?: OneShotTimer<EventName>;
}

/** A checked declaration of an entity type: plain data, safe to import anywhere. S1.1 */
export interface EntityDefinition<
  Name extends string,
  Key extends z.ZodType<string>,
  Properties extends z.ZodObject,
  States extends Record<string, State>,
  Events extends Record<string, EventShape>,
  Actions extends Record<string, ActionShape>,
> {
  readonly name: Name;
  readonly description?: string | undefined;
  readonly key: Key;
  readonly properties: Properties;
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
  z.ZodType<string>,
  z.ZodObject,
  Record<string, State>,
  Record<string, EventShape>,
  Record<string, ActionShape>
>;

export type StateOf<E extends AnyEntity> = keyof E['states'] & string;
export type EventOf<E extends AnyEntity> = keyof E['events'] & string;
export type ActionOf<E extends AnyEntity> = keyof E['actions'] & string;
export type PropertiesOf<E extends AnyEntity> = z.output<E['properties']>;

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

/**
 * Declares an entity type. All its mistakes are reported at once, each with its place and a remedy (S1.5).
 * @throws DeclarationError
 */
export function defineEntity<
  const Name extends string,
  Key extends z.ZodType<string>,
  Properties extends z.ZodObject,
  const States extends Record<string, State>,
  const Events extends Record<string, EventShape<keyof States & string>>,
  const Actions extends Record<string, ActionShape<keyof States & string, keyof Events & string>>,
>(
  name: Name,
  declaration: {
    readonly description?: string;
    readonly key: Key;
    readonly properties: Properties;
    readonly states: States & { readonly [S in keyof States]: State<keyof States & string, keyof Events & string> };
    readonly events: Events;
    readonly actions: Actions;
    readonly subscriptions?: Readonly<Record<string, SubscriptionShape<keyof Events & string>>>;
    readonly cancel?: keyof Events & string;
    readonly timers?: Readonly<Record<string, PeriodicTimer<keyof Events & string>>>;
  },
): EntityDefinition<Name, Key, Properties, States, Events, Actions> {
  const { subscriptions = {}, timers = {} } = declaration;
  const definition = { name, ...declaration, subscriptions, timers };
  checkDeclaration(definition);
  makeShareable(definition);
  return definition;
}
