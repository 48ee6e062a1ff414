import { z } from 'zod';
import { any, defineEntity, type AnyEntity, type AnyImplementation } from '../../../src/definition/index.js';
import type { StoredEntity } from '../../../src/definition/migration.js';
import { asList } from '../../../src/definition/names.js';
import type { Retry } from '../../../src/definition/state.js';
import type { Random } from '../../../src/simulation/index.js';

/**
 * The next version of a generated machine, mostly with a rollback: with another property, and by chance with other names of a state and an event,
 * with another calendar, with entities that move on the way, and with a subscription and a deadline whose time may have come already. Q2
 */
export function evolve({ entity, actions, ...rest }: AnyImplementation, random: Random): AnyImplementation {
  const schema = entity.schema + 1;
  const rests = Object.keys(entity.states).filter((name) => /^(Rest|Calm)/.test(name));
  const from = random.chance(0.6) ? rests.at(-1)! : undefined;
  const to = `Calm${schema}`;
  const state = (name: string) => (name === from ? to : name);
  const states = <T extends string | readonly string[]>(names: T) =>
    (typeof names === 'string' ? state(names) : names.map(state)) as T;
  const renames = random.chance(0.5) && Object.hasOwn(entity.events, 'change');
  const event = (name: string) => (renames && name === 'change' ? 'alter' : name);
  const moves = rests.length > 1 && random.chance(0.6) ? state(rests[0]!) : undefined;
  const lapses = asList(entity.events['expire']?.in).includes('Bad') && random.chance(0.5);
  const notices = Object.hasOwn(entity.events, 'noticed') && random.chance(0.7);

  const up = (old: StoredEntity) => ({
    properties: { ...old.properties, tally: Number(old.properties['count'] ?? 0), madeFor: schema },
    ...(moves !== undefined && old.state === 'Bad' && { state: moves }),
  });
  const hadTally = Object.hasOwn(entity.properties.shape, 'tally');
  const down = ({ properties: { tally, madeFor: _, ...properties }, state: present }: StoredEntity) => ({
    properties: hadTally ? { ...properties, tally, madeFor: entity.schema } : properties,
    state: moves === present && Number(tally) > 0 ? 'Bad' : present === to && from !== undefined ? from : present,
  });
  const migration = random.chance(0.85) ? { up, down } : up;
  const next: AnyEntity = defineEntity(entity.name, {
    ...(entity as object),
    name: undefined,
    schema,
    migrations: { ...entity.migrations, [schema]: migration },
    renamed: {
      states: { ...chained(entity.renamed.states, state), ...(from !== undefined && { [from]: to }) },
      events: { ...entity.renamed.events, ...(renames && { change: 'alter' }) },
    },
    properties: entity.properties.extend({ tally: z.number().default(0), madeFor: z.number().default(schema) }),
    states: Object.fromEntries(
      Object.entries(entity.states).map(([name, declared]) => [
        state(name),
        {
          ...declared,
          ...(lapses && name === 'Bad' && { deadline: { after: '20s', raise: 'expire' } }),
          ...(declared.retry && { retry: renamedRetry(declared.retry, state) }),
        },
      ]),
    ),
    events: Object.fromEntries(
      Object.entries(entity.events).map(([name, declared]) => [event(name), { ...declared, in: states(declared.in) }]),
    ),
    actions: Object.fromEntries(
      Object.entries(entity.actions).map(([name, declared]) => [
        name,
        {
          ...declared,
          ...(declared.on !== undefined && { on: event(declared.on) }),
          in: states(declared.in),
          ...(declared.to !== undefined && { to: states(declared.to) }),
        },
      ]),
    ),
    subscriptions: {
      ...Object.fromEntries(
        Object.entries(entity.subscriptions).map(([name, declared]) => [
          name,
          { ...declared, ...(declared.in !== undefined && { in: states(declared.in) }) },
        ]),
      ),
      ...(notices && { [`late${schema}`]: { when: any({ is: 'settled' }), raise: 'noticed' } }),
    },
    ...(entity.limits && {
      limits: Object.fromEntries(
        Object.entries(entity.limits).map(([name, limit]) => [name, { ...limit, in: states(limit.in) }]),
      ),
    }),
    timers: Object.fromEntries(
      Object.entries(entity.timers).map(([name, timer]) => [
        name,
        timer.cron !== undefined && random.chance(0.5) ? { ...timer, cron: '*/3 * * * *' } : timer,
      ]),
    ),
  } as never) as unknown as AnyEntity;
  const before = (name: string) => (name === to && from !== undefined ? from : name);
  const renamed = Object.entries(actions).map(([name, action]) => [
    name,
    (app: never, input: never) => action(underOldNames(app, before, state) as never, input),
  ]);
  return { ...rest, entity: next, actions: Object.fromEntries(renamed) } as AnyImplementation;
}

/** Attempts that end in states under their present names. S3.5 */
function renamedRetry({ errors, ...retry }: Retry, state: (name: string) => string): Retry {
  const ends = <T extends { readonly exhausted?: string }>(rule: T): T =>
    rule.exhausted === undefined ? rule : { ...rule, exhausted: state(rule.exhausted) };
  const rules = Object.entries(errors ?? {}).map(([code, rule]) => [code, ends(rule)] as const);
  return { ...ends(retry), ...(errors && { errors: Object.fromEntries(rules) }) };
}

/** Renames of older versions lead to the names of this one. */
function chained(names: Readonly<Record<string, string>> = {}, state: (name: string) => string) {
  return Object.fromEntries(Object.entries(names).map(([old, present]) => [old, state(present)]));
}

/** Makes what an action gets whose code knows the old names of states. */
function underOldNames(app: object, before: (name: string) => string, state: (name: string) => string): object {
  return new Proxy(app, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (member === 'state') return before(value as string);
      if (member !== 'goTo') return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      return (to: string, options?: unknown) =>
        (value as (to: string, options?: unknown) => unknown).call(target, state(to), options);
    },
    set: (target, member, value) => Reflect.set(target, member, value, target),
  });
}
