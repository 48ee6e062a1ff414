import { z } from 'zod';
import type { AnyEntity } from './entity.js';
import type { Duration } from './duration.js';
import { asList } from './names.js';
import type { Predicate } from './predicate.js';
import type { OneShotTimer, PeriodicTimer } from './timer.js';

/** A declaration as data for people and programs: `reeve types`. */
export interface EntityDescription {
  readonly name: string;
  readonly description?: string;
  readonly states: readonly {
    readonly name: string;
    readonly initial: boolean;
    readonly stability: string;
    readonly health: string;
    readonly waiting: boolean;
    readonly deleted: boolean;
    readonly deadline?: OneShotTimer;
    readonly description?: string;
  }[];
  readonly events: readonly {
    readonly name: string;
    readonly in: readonly string[];
    /** JSON Schema of what a caller gives; none where the event takes no parameters. */
    readonly params?: unknown;
    readonly description?: string;
  }[];
  readonly actions: readonly {
    readonly name: string;
    readonly on?: string;
    readonly in: readonly string[];
    readonly to: readonly string[];
  }[];
  readonly subscriptions: readonly {
    readonly name: string;
    readonly raise: string;
    readonly when: string;
    readonly timeout?: OneShotTimer;
  }[];
  readonly timers: readonly ({ readonly name: string } & PeriodicTimer)[];
}

export function describeEntity(entity: AnyEntity): EntityDescription {
  return {
    name: entity.name,
    ...(entity.description !== undefined && { description: entity.description }),
    states: Object.entries(entity.states).map(
      ([name, { initial, stability, health, waiting, ending, deadline, description }]) => ({
        ...{ name, initial, stability, health, waiting },
        deleted: ending === 'deleted',
        ...(deadline && { deadline }),
        ...(description !== undefined && { description }),
      }),
    ),
    events: Object.entries(entity.events).map(([name, { in: states, params, description }]) => ({
      name,
      in: asList(states),
      ...(params && { params: z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' }) }),
      ...(description !== undefined && { description }),
    })),
    actions: Object.entries(entity.actions).map(([name, { on, in: states, to }]) => ({
      name,
      ...(on !== undefined && { on }),
      in: asList(states),
      to: asList(to),
    })),
    subscriptions: Object.entries(entity.subscriptions).map(([name, { raise, when, timeout }]) => ({
      ...{ name, raise },
      when: describePredicate(when),
      ...(timeout && { timeout }),
    })),
    timers: Object.entries(entity.timers).map(([name, timer]) => ({ name, ...timer })),
  };
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
      return [what.length > 0 ? predicate.kind : `${predicate.kind} of`, ...who, ...what].join(' ');
    }
  }
}

/** A duration in words: `10m`, `250ms`. */
export function describeDuration(duration: Duration): string {
  return typeof duration === 'number' ? `${duration}ms` : duration;
}

function nested(part: Predicate, within: 'and' | 'or'): string {
  const text = describePredicate(part);
  return (part.kind === 'and' || part.kind === 'or') && part.kind !== within ? `(${text})` : text;
}
