import type { Busy, BusyByState } from './busy.js';
import { CREATED } from './created.js';
import { describeCondition } from './condition.js';
import type { AnyEntity } from './entity.js';
import type { Duration } from './duration.js';
import { NOT_ALLOWED_NOW } from './guard.js';
import { keySchemas } from './key-schema.js';
import { asList } from './names.js';
import type { Predicate } from './predicate.js';
import { quantifierOf } from './quantifiers.js';
import { rolesToOperate, rolesToRaise, rolesToRead } from './roles.js';
import type { EntityRoles } from './entity-roles.js';
import { jsonSchemaOf } from './values/json-schema.js';
import type { OneShotTimer, PeriodicTimer, StateLimit, TimeProperty } from './timer.js';

/** A declaration as data for people and programs: `reeve types`. */
export interface EntityDescription {
  readonly name: string;
  readonly description?: string;
  /** The number of what its snapshots look like. Q2 */
  readonly schema: number;
  /** The parts of a key, in their order; none where it is one text. As in all members below, this is JSON Schema. */
  readonly key?: unknown;
  readonly properties: unknown;
  readonly links: readonly {
    readonly name: string;
    readonly to: string;
    readonly many: boolean;
    /** Tells whether its target has to exist when it is set. */
    readonly mustExist?: boolean;
  }[];
  readonly subordinates: readonly { readonly name: string; readonly schema: unknown }[];
  /** Shows what a caller gives when an entity is created; none where there is nothing to give. */
  readonly construct?: unknown;
  /** The properties that only the construction sets. */
  readonly fixed: readonly string[];
  /** The properties that the store holds encrypted; none where there are none. Q5 */
  readonly secret?: readonly string[];
  /** Shows where the value of each dimension comes from: `key`, `properties.cluster`, `links.application`. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** Shows who may do what, even where the declaration does not say it. S6.5 */
  readonly roles: Required<EntityRoles>;
  readonly states: readonly {
    readonly name: string;
    readonly initial: boolean;
    readonly stability: string;
    readonly health: string;
    readonly waiting: boolean;
    readonly ending?: string;
    readonly wait?: Duration | TimeProperty;
    readonly busy?: Busy;
    readonly deadline?: OneShotTimer;
    /** The components that run in this state, and the event of their end. */
    readonly deploys?: string;
    readonly ended?: string;
    readonly endWithin?: Duration;
    /** The constraint on `{ properties, links, subordinates }` in this state. */
    readonly constraint?: unknown;
    /** The words that people read instead of its name, as of an event. */
    readonly displayName?: string;
    readonly description?: string;
  }[];
  readonly events: readonly {
    readonly name: string;
    readonly in: readonly string[];
    /** JSON Schema of what a caller gives; none where the event takes no parameters. */
    readonly params?: unknown;
    /** The type of another entity that has to exist before this event can create one. */
    readonly needs?: string;
    /** The conditions without which it is not valid, in words, each with the code of its answer. */
    readonly when?: readonly { readonly is: string; readonly code: string; readonly message?: string }[];
    /** Its own setting for while an action runs. */
    readonly busy?: Busy | BusyByState;
    /** Tells whether it is closed to those outside. */
    readonly internal?: boolean;
    /** Is true if it comes once from outside, at an address that an action has made. */
    readonly answer?: boolean;
    /** Tells who may raise it; none for an internal one. */
    readonly roles?: readonly string[];
    readonly displayName?: string;
    readonly description?: string;
  }[];
  readonly actions: readonly {
    readonly name: string;
    readonly on?: string;
    readonly in: readonly string[];
    readonly to: readonly string[];
    readonly wait?: Duration;
    /** The events that it raises on others; none where it does not say so. */
    readonly raises?: readonly string[];
  }[];
  readonly subscriptions: readonly {
    readonly name: string;
    readonly raise: string;
    readonly when: string;
    /** The states in which it fires, where these are not all in which its event is valid. */
    readonly in?: readonly string[];
    readonly timeout?: OneShotTimer;
  }[];
  /** The setting for events that come while an action runs, where neither they nor the state have one. */
  readonly busy?: Busy;
  readonly timers: readonly ({ readonly name: string } & PeriodicTimer)[];
  /** None where there are none. */
  readonly limits?: readonly ({ readonly name: string } & StateLimit)[];
}

/** Describes a declaration as plain data, with JSON Schemas: what `/api/types` and `reeve model` have. */
export function describeEntity(entity: AnyEntity): EntityDescription {
  return {
    name: entity.name,
    ...(entity.description !== undefined && { description: entity.description }),
    schema: entity.schema,
    ...(keySchemas(entity) && { key: jsonSchemaOf(entity.key, 'input') }),
    properties: jsonSchemaOf(entity.properties, 'output'),
    links: Object.entries(entity.links).map(([name, { to, many, mustExist }]) => ({
      ...{ name, to, many },
      ...(mustExist && { mustExist }),
    })),
    subordinates: Object.entries(entity.subordinates).map(([name, schema]) => ({
      name,
      schema: jsonSchemaOf(schema, 'output'),
    })),
    ...(entity.construct && { construct: jsonSchemaOf(entity.construct, 'input') }),
    fixed: entity.fixed,
    ...(entity.secret.length > 0 && { secret: entity.secret }),
    dimensions: entity.dimensions,
    roles: {
      read: rolesToRead(entity),
      raise: rolesToRaise(entity, CREATED),
      operate: rolesToOperate(entity),
    },
    states: Object.entries(entity.states).map(
      ([
        name,
        {
          initial,
          stability,
          health,
          waiting,
          ending,
          wait,
          busy,
          deadline,
          deploys,
          ended,
          endWithin,
          constraint,
          ...told
        },
      ]) => ({
        ...{ name, initial, stability, health, waiting },
        ...(ending !== undefined && { ending }),
        ...(wait !== undefined && { wait }),
        ...(busy !== undefined && { busy }),
        ...(deadline && { deadline }),
        ...(deploys !== undefined && { deploys }),
        ...(ended !== undefined && { ended }),
        ...(endWithin !== undefined && { endWithin }),
        ...(constraint && { constraint: jsonSchemaOf(constraint, 'output') }),
        ...wordsOf(told),
      }),
    ),
    events: Object.entries(entity.events).map(
      ([name, { in: states, params, needs, when, busy, internal, answer, ...told }]) => ({
        name,
        in: asList(states),
        ...(params && { params: jsonSchemaOf(params, 'input') }),
        ...(needs && { needs: needs.type }),
        ...(answer && { answer }),
        ...(when && {
          when: when.map(({ is, otherwise = { code: NOT_ALLOWED_NOW } }) => ({
            is: describeCondition(is),
            ...otherwise,
          })),
        }),
        ...(busy !== undefined && { busy }),
        ...(internal ? { internal } : { roles: rolesToRaise(entity, name) }),
        ...wordsOf(told),
      }),
    ),
    actions: Object.entries(entity.actions).map(([name, { on, in: states, to, wait, raises }]) => ({
      name,
      ...(on !== undefined && { on }),
      in: asList(states),
      to: asList(to),
      ...(wait !== undefined && { wait }),
      ...(raises && { raises }),
    })),
    subscriptions: Object.entries(entity.subscriptions).map(([name, { raise, when, in: states, timeout }]) => ({
      ...{ name, raise },
      when: describePredicate(when),
      ...(states !== undefined && { in: asList(states) }),
      ...(timeout && { timeout }),
    })),
    ...(entity.busy !== undefined && { busy: entity.busy }),
    timers: Object.entries(entity.timers).map(([name, timer]) => ({ name, ...timer })),
    ...(entity.limits && { limits: Object.entries(entity.limits).map(([name, limit]) => ({ name, ...limit })) }),
  };
}

function wordsOf({ displayName, description }: { readonly displayName?: string; readonly description?: string }) {
  return { ...(displayName !== undefined && { displayName }), ...(description !== undefined && { description }) };
}

/** A pattern in words: `all SqlApplication in Ready and none of DatabaseService`. */
export function describePredicate(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.predicates.map((part) => nested(part, predicate.kind)).join(` ${predicate.kind} `);
    case 'not':
      return `not (${describePredicate(predicate.predicate)})`;
    default: {
      const { type, role, key } = predicate.filter;
      const who = [
        type ?? 'successors',
        ...(role === undefined ? [] : [`as ${role}`]),
        ...(key === undefined ? [] : [key]),
      ];
      const { in: states, is } = predicate.test;
      const what = [...(states ? [`in ${states.join(' or ')}`] : []), ...(is ? [is] : [])];
      const many = quantifierOf(predicate).words('count' in predicate ? predicate.count : 0);
      return [what.length > 0 ? many : `${many} of`, ...who, ...what].join(' ');
    }
  }
}

/** A duration in words: `10m`, `250ms`. */
export function describeDuration(duration: Duration): string {
  return typeof duration === 'number' ? `${duration}ms` : duration;
}

/** The time of a deadline or time-out in words: `after 10m`, `after ttl`, `at expiresAt`. */
export function describeTime({ after, at }: Pick<OneShotTimer, 'after' | 'at'>): string {
  const path = ({ of }: TimeProperty) => of.slice('properties.'.length);
  if (at !== undefined) return `at ${path(at)}`;
  return `after ${typeof after === 'object' ? path(after) : describeDuration(after!)}`;
}

function nested(part: Predicate, within: 'and' | 'or'): string {
  const text = describePredicate(part);
  return (part.kind === 'and' || part.kind === 'or') && part.kind !== within ? `(${text})` : text;
}
