import { z } from 'zod';
import {
  all,
  any,
  defineEntity,
  defineResource,
  deleted,
  initial,
  link,
  links,
  stable,
  terminal,
  unstable,
  type AnyEntity,
  type Resource,
} from '../../src/definition/index.js';
import { component } from '../../src/components/index.js';
import { defineDistributedOperation } from '../../src/distributed/index.js';
import { modelOf, type Model } from '../../src/definition/evolution/model.js';
import type { ChangeClass } from '../../src/definition/evolution/change.js';

/** A declaration as plain data, which each planted change alters. */
export const before = () => ({
  schema: 1,
  migrations: {} as Record<number, unknown>,
  renamed: {} as Record<string, Record<string, string>>,
  description: 'An order.',
  key: z.string().max(50) as z.ZodType,
  properties: {
    size: z.number().min(0).max(100).default(1) as z.ZodType,
    note: z.string().optional() as z.ZodType,
    plan: z.enum(['basic', 'plus']).default('basic') as z.ZodType,
    tags: z.array(z.string()).default([]) as z.ZodType,
    place: z.object({ city: z.string(), floor: z.number().optional() }).default({ city: '' }) as z.ZodType,
  } as Record<string, z.ZodType>,
  links: { owner: link('Order'), parts: links('Order') } as Record<string, unknown>,
  subordinates: { rules: z.object({ from: z.string(), to: z.string() }) } as Record<string, z.ZodType>,
  construct: z.object({ size: z.number().optional() }) as z.ZodObject | undefined,
  fixed: [] as string[],
  secret: ['tags'] as string[],
  dimensions: { order_id: 'key', plan: 'properties.plan' } as Record<string, string>,
  roles: { read: ['reader', 'operator'], raise: ['owner', 'operator'], operate: ['operator'] } as Record<
    string,
    string[]
  >,
  states: {
    New: initial(),
    Packing: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Stuck' as never } }),
    Parts: stable({ waiting: true }),
    Ready: stable({ deadline: { after: '10m', raise: 'expire' as never } }),
    Stuck: stable({ health: 'error' }),
    Archived: terminal(),
    Gone: deleted(),
  } as unknown as Record<string, Record<string, unknown>>,
  events: {
    place: { params: z.object({ amount: z.number(), hint: z.string().optional() }), in: 'New' },
    gather: { in: 'Ready' },
    gathered: { in: 'Parts' },
    change: {
      params: z.object({ size: z.number() }),
      in: ['Ready', 'Stuck'],
      otherwise: { Packing: { code: 'packing', message: 'It is being packed.' } },
    },
    expire: { in: 'Ready' },
    archive: { in: 'Stuck' },
    drop: { in: ['Ready', 'Stuck'], roles: ['owner', 'operator'] },
  } as unknown as Record<string, Record<string, unknown>>,
  actions: {
    place: { on: 'place', in: 'New', to: 'Packing' },
    pack: { in: 'Packing', to: ['Ready', 'Stuck'] },
    gather: { on: 'gather', in: 'Ready', to: 'Parts' },
    gathered: { on: 'gathered', in: 'Parts', to: 'Ready' },
    change: { on: 'change', in: ['Ready', 'Stuck'], to: 'Ready' },
    expire: { on: 'expire', in: 'Ready', to: 'Stuck' },
    archive: { on: 'archive', in: 'Stuck', to: 'Archived' },
    drop: { on: 'drop', in: ['Ready', 'Stuck'], to: 'Gone' },
  } as unknown as Record<string, Record<string, unknown>>,
  subscriptions: {
    gathered: { when: all({ is: 'settled' }), raise: 'gathered', timeout: { after: '1h', raise: 'gathered' } },
    failed: { when: any({ is: 'lost' }), raise: 'gathered' },
  } as unknown as Record<string, Record<string, unknown>>,
  timers: { check: { every: '1h', raise: 'expire' } } as unknown as Record<string, Record<string, unknown>>,
  cancel: 'drop' as string | undefined,
  calls: {
    pack: { input: z.object({ box: z.string() }), output: z.object({ weight: z.number() }) },
    ask: {
      input: z.object({ who: z.string() }),
      output: z.object({ yes: z.boolean() }),
      answer: 'callback',
      within: '2d',
    },
  } as unknown as Record<string, Record<string, unknown>>,
  component: {
    attributes: z.object({ lamp: z.string(), level: z.number().default(1) }),
    start: async () => undefined,
    end: async () => undefined,
    roles: { deploy: ['owner'] },
  } as Record<string, unknown>,
  operation: {
    argument: z.object({ table: z.string() }),
    object: ({ table }: { readonly table: string }) => table,
    on: 'active',
    canFail: true,
    progress: { schema: z.object({ done: z.number(), total: z.number() }), kept: 'executor' },
    compatibleWith: ['otherType'],
  } as Record<string, unknown>,
  /** The rules for all properties together. */
  whole: (properties: z.ZodObject) => properties as z.ZodType,
  /** Tells whether the type is there at all. */
  there: true,
});

export type Declaration = ReturnType<typeof before>;

export function modelAfter(alter: (declaration: Declaration) => void): Model {
  const altered = before();
  alter(altered);
  const { properties: named, calls: made, there: exists, component: lamp, operation: index, whole, ...rest } = altered;
  const entity = defineEntity('Order', {
    ...rest,
    properties: whole(z.object(named)),
  } as never) as unknown as AnyEntity;
  const other = defineEntity('Other', {
    key: z.string(),
    properties: z.object({}),
    states: { Here: initial(), Away: terminal() },
    events: { stay: { in: 'Here' }, go: { in: 'Here' } },
    actions: { stay: { on: 'stay', in: 'Here' }, go: { on: 'go', in: 'Here', to: 'Away' } },
  });
  const resource = defineResource('packing', made as never) as unknown as Resource;
  const components = [component('Lamp', lamp as never)];
  const distributed = [defineDistributedOperation('buildIndex', index as never)] as never;
  return modelOf({ entities: exists ? [entity, other] : [other], resources: [resource], components, distributed });
}

/** A change with the classes that it has, the place of the first one, and words of its remedy. */
export interface Planted {
  readonly what: string;
  readonly alter: (declaration: Declaration) => void;
  readonly finds: readonly (readonly [ChangeClass, string, RegExp])[];
}

const breaks = (place: string, remedy: RegExp) => ['breaks-callers', place, remedy] as const;
const migrate = (place: string, remedy = /schema: 2|schema 2/) => ['needs-migration', place, remedy] as const;
const strands = (place: string, remedy: RegExp) => ['strands-entities', place, remedy] as const;
const running = (place: string, remedy = /beside it|runs nowhere/) =>
  ['breaks-running-actions', place, remedy] as const;

/** Incompatible changes, each with all that it breaks and nothing else. */
export const INCOMPATIBLE: readonly Planted[] = [
  {
    what: 'a property is refined',
    alter: (d) =>
      (d.properties['note'] = z
        .string()
        .refine((note) => note.startsWith('a'))
        .optional()),
    finds: [migrate('Order.properties.note')],
  },
  {
    what: 'a property is refined within a list, beside a choice',
    alter: (d) =>
      (d.properties['tags'] = z
        .array(z.string().refine((tag) => tag !== ''))
        .default([])
        .or(z.array(z.string().refine((tag) => tag.length > 1)))),
    finds: [migrate('Order.properties.tags')],
  },
  {
    what: 'a property is trimmed',
    alter: (d) => (d.properties['note'] = z.string().trim().optional()),
    finds: [migrate('Order.properties.note'), breaks('Order.properties.note', /new property/)],
  },
  {
    what: 'a property is transformed',
    alter: (d) =>
      (d.properties['note'] = z
        .string()
        .transform((note) => note.toUpperCase())
        .optional()),
    finds: [migrate('Order.properties.note'), breaks('Order.properties.note', /new property/)],
  },
  {
    what: 'a property is preprocessed',
    alter: (d) => (d.properties['note'] = z.preprocess((note) => note, z.string()).optional()),
    finds: [migrate('Order.properties.note'), breaks('Order.properties.note', /new property/)],
  },
  {
    what: 'a property takes numbers for text',
    alter: (d) => (d.properties['note'] = z.coerce.string().optional()),
    finds: [migrate('Order.properties.note'), breaks('Order.properties.note', /new property/)],
  },
  {
    what: 'a property is refined by code that nobody can read',
    alter: (d) =>
      (d.properties['note'] = z
        .string()
        .superRefine(() => undefined)
        .optional()),
    finds: [migrate('Order.properties.note')],
  },
  {
    what: 'a pattern beside another one, and a least length',
    alter: (d) => (d.properties['note'] = z.string().min(3).regex(/a/).regex(/b/).optional()),
    finds: [migrate('Order.properties.note')],
  },
  {
    what: 'the properties are refined together',
    alter: (d) => (d.whole = (properties) => properties.refine(({ size, note }) => size !== note)),
    finds: [migrate('Order.properties')],
  },
  {
    what: 'members of a collection are refined',
    alter: (d) =>
      (d.subordinates['rules'] = z.object({ from: z.string(), to: z.string() }).refine(({ from, to }) => from !== to)),
    finds: [migrate('Order.subordinates.rules')],
  },
  {
    what: 'a key is refined',
    alter: (d) =>
      (d.key = z
        .string()
        .max(50)
        .refine((key) => key !== 'none')),
    finds: [strands('Order.key', /new type/)],
  },
  {
    what: 'what is given to create is refined',
    alter: (d) =>
      (d.construct = z.object({
        size: z
          .number()
          .refine((size) => size !== 13)
          .optional(),
      })),
    finds: [breaks('Order.construct', /optional/)],
  },
  {
    what: 'a parameter is refined',
    alter: (d) =>
      (d.events['change'] = {
        ...d.events['change'],
        params: z.object({ size: z.number().refine((size) => size !== 13) }),
      }),
    finds: [breaks('Order.events.change', /another event/)],
  },
  {
    what: 'parameters that are not known are refused',
    alter: (d) => (d.events['change'] = { ...d.events['change'], params: z.strictObject({ size: z.number() }) }),
    finds: [breaks('Order.events.change', /another event/)],
  },
  {
    what: 'a state is constrained by code',
    alter: (d) =>
      (d.states['Ready'] = {
        ...d.states['Ready'],
        constraint: z.object({ properties: z.object({ size: z.number().refine((size) => size > 10) }) }),
      }),
    finds: [migrate('Order.states.Ready')],
  },
  {
    what: 'the input of a call is refined',
    alter: (d) =>
      (d.calls['pack'] = { ...d.calls['pack'], input: z.object({ box: z.string().refine((box) => box !== '') }) }),
    finds: [running('resources.packing.pack')],
  },
  {
    what: 'a call has less time',
    alter: (d) => (d.calls['pack'] = { ...d.calls['pack'], timeout: '5s' }),
    finds: [running('resources.packing.pack')],
  },
  {
    what: 'subscriptions change places',
    alter: (d) => (d.subscriptions = { failed: d.subscriptions['failed']!, gathered: d.subscriptions['gathered']! }),
    finds: [migrate('Order.subscriptions', /here yourself/)],
  },
  {
    what: 'a component refuses attributes',
    alter: (d) =>
      (d.component = {
        ...d.component,
        attributes: z.object({ lamp: z.string().min(2), level: z.number().default(1) }),
      }),
    finds: [breaks('components.Lamp', /optional/), running('components.Lamp', /optional/)],
  },
  {
    what: 'a component refuses attributes by code',
    alter: (d) =>
      (d.component = {
        ...d.component,
        attributes: z.object({ lamp: z.string().refine((lamp) => lamp !== ''), level: z.number().default(1) }),
      }),
    finds: [breaks('components.Lamp', /optional/), running('components.Lamp', /optional/)],
  },
  {
    what: 'a component cleans up no more',
    alter: (d) => delete d.component['end'],
    finds: [running('components.Lamp', /without effect/)],
  },
  {
    what: 'a role may not deploy a component any more',
    alter: (d) => (d.component = { ...d.component, roles: {} }),
    finds: [breaks('components.Lamp.roles.deploy', /role/)],
  },
  {
    what: 'an operation over partitions refuses arguments',
    alter: (d) => (d.operation = { ...d.operation, argument: z.object({ table: z.string().max(10) }) }),
    finds: [breaks('distributed.buildIndex', /optional/), running('distributed.buildIndex')],
  },
  {
    what: 'other code tells its instances apart',
    alter: (d) => (d.operation = { ...d.operation, object: () => 'all' }),
    finds: [running('distributed.buildIndex')],
  },
  {
    what: 'progress that was kept is not read any more',
    alter: (d) =>
      (d.operation = {
        ...d.operation,
        progress: { schema: z.object({ done: z.number(), total: z.number(), at: z.string() }), kept: 'executor' },
      }),
    finds: [running('distributed.buildIndex')],
  },
  {
    what: 'an operation over partitions runs beside another one no more',
    alter: (d) => (d.operation = { ...d.operation, compatibleWith: [] }),
    finds: [breaks('distributed.buildIndex', /both/)],
  },
  {
    what: 'an event is rejected while an action runs',
    alter: (d) => (d.events['change'] = { ...d.events['change'], busy: { Ready: 'reject' } }),
    finds: [breaks('Order.events.change', /'wait'/)],
  },
  {
    what: 'an event has a guard',
    alter: (d) =>
      (d.events['change'] = { ...d.events['change'], when: [{ is: { kind: 'isSet', of: 'properties.size' } }] }),
    finds: [breaks('Order.events.change', /Inform the callers/)],
  },
  {
    what: 'a property is required',
    alter: (d) => {
      d.properties['sum'] = z.number();
      d.construct = z.object({ size: z.number().optional(), sum: z.number() });
    },
    finds: [migrate('Order.properties.sum', /default/), breaks('Order.construct', /optional/)],
  },
  {
    what: 'a property is removed',
    alter: (d) => void delete d.properties['note'],
    finds: [breaks('Order.properties.note', /renamed/)],
  },
  {
    what: 'a property becomes a text',
    alter: (d) => (d.properties['size'] = z.string().default('')),
    finds: [migrate('Order.properties.size'), breaks('Order.properties.size', /new property/)],
  },
  {
    what: 'a number gets a smaller maximum',
    alter: (d) => (d.properties['size'] = z.number().min(0).max(50).default(1)),
    finds: [migrate('Order.properties.size')],
  },
  {
    what: 'a number gets a larger maximum: readers may get more',
    alter: (d) => (d.properties['size'] = z.number().min(0).max(500).default(1)),
    finds: [breaks('Order.properties.size', /new property/)],
  },
  {
    what: 'a value leaves an enumeration',
    alter: (d) => (d.properties['plan'] = z.enum(['basic']).default('basic')),
    finds: [migrate('Order.properties.plan')],
  },
  {
    what: 'a value joins an enumeration: readers do not know it',
    alter: (d) => (d.properties['plan'] = z.enum(['basic', 'plus', 'pro']).default('basic')),
    finds: [breaks('Order.properties.plan', /new property/)],
  },
  {
    what: 'an optional property becomes required',
    alter: (d) => {
      d.properties['note'] = z.string();
      d.construct = z.object({ size: z.number().optional(), note: z.string() });
    },
    finds: [migrate('Order.properties.note'), breaks('Order.construct', /optional/)],
  },
  {
    what: 'a property with a default becomes optional',
    alter: (d) => (d.properties['tags'] = z.array(z.string()).optional()),
    finds: [breaks('Order.properties.tags', /new property/)],
  },
  {
    what: 'a property becomes secret',
    alter: (d) => d.secret.push('note'),
    finds: [breaks('Order.secret.note', /rebuild/)],
  },
  {
    what: 'a property is secret no more',
    alter: (d) => (d.secret = []),
    finds: [breaks('Order.secret.tags', /Keep 'tags' in secret/)],
  },
  {
    what: 'a list gets a longest length',
    alter: (d) => (d.properties['tags'] = z.array(z.string()).max(3).default([])),
    finds: [migrate('Order.properties.tags')],
  },
  {
    what: 'a member within a property is required',
    alter: (d) =>
      (d.properties['place'] = z.object({ city: z.string(), floor: z.number() }).default({ city: '', floor: 0 })),
    finds: [migrate('Order.properties.place')],
  },
  {
    what: 'a member within a property is removed',
    alter: (d) => (d.properties['place'] = z.object({ floor: z.number().optional() }).default({})),
    finds: [breaks('Order.properties.place', /new property/)],
  },
  {
    what: 'a link is removed',
    alter: (d) => void delete d.links['owner'],
    finds: [migrate('Order.links.owner'), breaks('Order.links.owner', /Keep/)],
  },
  {
    what: 'a link leads elsewhere',
    alter: (d) => (d.links['owner'] = link('Other')),
    finds: [migrate('Order.links.owner')],
  },
  {
    what: 'a link becomes a list',
    alter: (d) => (d.links['owner'] = links('Order')),
    finds: [migrate('Order.links.owner'), breaks('Order.links.owner', /beside/)],
  },
  {
    what: 'a collection is removed',
    alter: (d) => void delete d.subordinates['rules'],
    finds: [migrate('Order.subordinates.rules'), breaks('Order.subordinates.rules', /Keep/)],
  },
  {
    what: 'members of a collection need more',
    alter: (d) => (d.subordinates['rules'] = z.object({ from: z.string(), to: z.string(), why: z.string() })),
    finds: [migrate('Order.subordinates.rules')],
  },
  {
    what: 'a state is removed',
    alter: (d) => {
      delete d.states['Parts'];
      delete d.events['gather'];
      delete d.events['gathered'];
      delete d.actions['gather'];
      delete d.actions['gathered'];
      d.subscriptions = {};
    },
    finds: [
      strands('Order.states.Parts', /renamed|migration/),
      breaks('Order.events.gather', /Keep/),
      breaks('Order.events.gathered', /Keep/),
      running('Order.actions.gather'),
      running('Order.actions.gathered'),
    ],
  },
  {
    what: 'a state is removed, and its events stay valid elsewhere',
    alter: (d) => {
      delete d.states['Stuck'];
      d.states['Packing'] = unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Ready' as never } }) as never;
      d.events['change'] = { ...d.events['change'], in: 'Ready' };
      d.events['drop'] = { ...d.events['drop'], in: 'Ready' };
      delete d.events['archive'];
      delete d.actions['archive'];
      d.actions['pack'] = { in: 'Packing', to: 'Ready' };
      d.actions['change'] = { on: 'change', in: 'Ready', to: 'Ready' };
      d.actions['expire'] = { on: 'expire', in: 'Ready', to: 'Archived' };
      d.actions['drop'] = { on: 'drop', in: 'Ready', to: 'Gone' };
    },
    finds: [
      strands('Order.states.Stuck', /renamed|migration/),
      breaks('Order.events.archive', /Keep/),
      running('Order.actions.archive'),
    ],
  },
  {
    what: 'a state becomes terminal',
    alter: (d) => {
      d.states['Stuck'] = terminal({ health: 'error' }) as never;
      d.events['change'] = { ...d.events['change'], in: 'Ready' };
      d.events['drop'] = { ...d.events['drop'], in: 'Ready' };
      d.actions['change'] = { on: 'change', in: 'Ready', to: 'Ready' };
      d.actions['drop'] = { on: 'drop', in: 'Ready', to: 'Gone' };
      d.events['archive'] = { in: 'Ready' };
      d.actions['archive'] = { on: 'archive', in: 'Ready', to: 'Archived' };
    },
    finds: [
      strands('Order.states.Stuck', /separate state/),
      breaks('Order.events.change', /valid there/),
      breaks('Order.events.drop', /valid there/),
      breaks('Order.events.archive', /valid there/),
    ],
  },
  {
    what: 'a state can settle no more',
    alter: (d) => {
      d.actions['gathered'] = { on: 'gathered', in: 'Parts', to: 'Loop' };
      d.states['Loop'] = unstable({ wait: '1s' }) as never;
      d.actions['loop'] = { in: 'Loop', to: 'Parts' };
    },
    finds: [strands('Order.states.Parts', /Add an action/), running('Order.actions.gathered')],
  },
  {
    what: 'a stable state becomes unstable',
    alter: (d) => {
      d.states['Stuck'] = unstable({ health: 'error', wait: '1m', retry: { attempts: 3 } }) as never;
      d.actions['mend'] = { in: 'Stuck', to: 'Ready' };
    },
    finds: [migrate('Order.states.Stuck')],
  },
  {
    what: 'an unstable state becomes stable',
    alter: (d) => {
      d.states['Packing'] = stable() as never;
      d.events['packed'] = { in: 'Packing' };
      d.actions['pack'] = { on: 'packed', in: 'Packing', to: ['Ready', 'Stuck'] };
    },
    finds: [migrate('Order.states.Packing')],
  },
  {
    what: 'a waiting state waits no more',
    alter: (d) => (d.states['Parts'] = stable() as never),
    finds: [migrate('Order.states.Parts')],
  },
  {
    what: 'the health of a state',
    alter: (d) => (d.states['Stuck'] = stable() as never),
    finds: [breaks('Order.states.Stuck', /new state/)],
  },
  {
    what: 'a state is constrained',
    alter: (d) =>
      (d.states['Ready'] = {
        ...d.states['Ready'],
        constraint: z.object({ properties: z.object({ size: z.number().min(1) }) }),
      }),
    finds: [migrate('Order.states.Ready')],
  },
  {
    what: 'a deadline comes sooner',
    alter: (d) => (d.states['Ready'] = stable({ deadline: { after: '1m', raise: 'expire' as never } }) as never),
    finds: [migrate('Order.states.Ready', /start again/)],
  },
  {
    what: 'a subscription is new',
    alter: (d) => (d.subscriptions['again'] = { when: any({ is: 'failed' }), raise: 'gathered' }),
    finds: [migrate('Order.subscriptions.again', /sets nothing off/)],
  },
  {
    what: 'a subscription asks for another pattern',
    alter: (d) => (d.subscriptions['gathered'] = { ...d.subscriptions['gathered'], when: any({ is: 'settled' }) }),
    finds: [migrate('Order.subscriptions.gathered', /sets nothing off/)],
  },
  {
    what: 'a timer is new',
    alter: (d) => (d.timers['look'] = { every: '1d', raise: 'gathered' }),
    finds: [migrate('Order.timers.look', /sets nothing off/)],
  },
  {
    what: 'an event is removed',
    alter: (d) => {
      delete d.events['archive'];
      delete d.actions['archive'];
      delete d.states['Archived'];
    },
    finds: [
      strands('Order.states.Archived', /renamed/),
      breaks('Order.events.archive', /renamed/),
      running('Order.actions.archive'),
    ],
  },
  {
    what: 'a parameter is required',
    alter: (d) =>
      (d.events['change'] = { ...d.events['change'], params: z.object({ size: z.number(), unit: z.string() }) }),
    finds: [breaks('Order.events.change', /optional/)],
  },
  {
    what: 'a parameter is strict about others',
    alter: (d) => (d.events['place'] = { params: z.strictObject({ amount: z.number() }), in: 'New' }),
    finds: [breaks('Order.events.place', /optional/)],
  },
  {
    what: 'an event is valid in fewer states',
    alter: (d) => {
      d.events['change'] = { ...d.events['change'], in: 'Ready' };
      d.actions['change'] = { on: 'change', in: 'Ready', to: 'Ready' };
    },
    finds: [breaks('Order.events.change', /valid there/)],
  },
  {
    what: 'a rejection has another code',
    alter: (d) => (d.events['change'] = { ...d.events['change'], otherwise: { Packing: { code: 'busy' } } }),
    finds: [breaks('Order.events.change', /code/)],
  },
  {
    what: 'an event is closed to those outside',
    alter: (d) => (d.events['gather'] = { in: 'Ready', internal: true }),
    finds: [breaks('Order.events.gather', /Keep it public/)],
  },
  {
    what: 'a role may not raise an event',
    alter: (d) => (d.events['drop'] = { ...d.events['drop'], roles: ['operator'] }),
    finds: [breaks('Order.events.drop', /role/)],
  },
  {
    what: 'a key is shorter',
    alter: (d) => (d.key = z.string().max(20)),
    finds: [strands('Order.key', /never changed/)],
  },
  {
    what: 'a dimension is removed',
    alter: (d) => void delete d.dimensions['plan'],
    finds: [breaks('Order.dimensions.plan', /Keep/)],
  },
  {
    what: 'a call needs more',
    alter: (d) => (d.calls['pack'] = { ...d.calls['pack'], input: z.object({ box: z.string(), size: z.number() }) }),
    finds: [running('resources.packing.pack')],
  },
  {
    what: 'a call answers less',
    alter: (d) => (d.calls['pack'] = { ...d.calls['pack'], output: z.object({ weight: z.number().optional() }) }),
    finds: [running('resources.packing.pack')],
  },
  { what: 'a call is removed', alter: (d) => void delete d.calls['ask'], finds: [running('resources.packing.ask')] },
  { what: 'a type is removed', alter: (d) => void (d.there = false), finds: [strands('Order', /never renamed/)] },
  { what: 'cancel is refused', alter: (d) => (d.cancel = undefined), finds: [breaks('Order.cancel', /Keep cancel/)] },
];

/** 40 changes that need nothing. */
export const SAFE: readonly Pick<Planted, 'what' | 'alter'>[] = [
  { what: 'a property is optional', alter: (d) => (d.properties['sum'] = z.number().optional()) },
  { what: 'a property has a default', alter: (d) => (d.properties['sum'] = z.number().default(0)) },
  { what: 'an optional property gets a default', alter: (d) => (d.properties['note'] = z.string().default('')) },
  { what: 'a default is another one', alter: (d) => (d.properties['size'] = z.number().min(0).max(100).default(2)) },
  { what: 'a property has words', alter: (d) => (d.properties['note'] = z.string().describe('A note.').optional()) },
  {
    what: 'a member within a property is optional',
    alter: (d) =>
      (d.properties['place'] = z
        .object({ city: z.string(), floor: z.number().optional(), door: z.string().optional() })
        .default({ city: '' })),
  },
  { what: 'a link is new', alter: (d) => (d.links['next'] = link('Order')) },
  { what: 'the target of a link must exist', alter: (d) => (d.links['owner'] = link('Order', { mustExist: true })) },
  { what: 'a collection is new', alter: (d) => (d.subordinates['lines'] = z.object({ text: z.string() })) },
  {
    what: 'members of a collection may have more',
    alter: (d) =>
      (d.subordinates['rules'] = z.object({ from: z.string(), to: z.string(), why: z.string().optional() })),
  },
  {
    what: 'a state is new',
    alter: (d) => {
      d.states['Lost'] = stable() as never;
      d.actions['expire'] = { on: 'expire', in: 'Ready', to: ['Stuck', 'Lost'] };
      d.events['find'] = { in: 'Lost' };
      d.actions['find'] = { on: 'find', in: 'Lost', to: 'Ready' };
    },
  },
  {
    what: 'more attempts',
    alter: (d) =>
      (d.states['Packing'] = unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'Stuck' as never } }) as never),
  },
  {
    what: 'a longer delay',
    alter: (d) =>
      (d.states['Packing'] = unstable({ retry: { attempts: 3, delay: '5s', exhausted: 'Stuck' as never } }) as never),
  },
  { what: 'a wait', alter: (d) => (d.states['Packing'] = { ...d.states['Packing'], wait: '5s' }) },
  {
    what: 'a deadline comes later',
    alter: (d) => (d.states['Ready'] = stable({ deadline: { after: '20m', raise: 'expire' as never } }) as never),
  },
  {
    what: 'no deadline',
    alter: (d) => {
      d.states['Ready'] = stable() as never;
    },
  },
  {
    what: 'a state has words',
    alter: (d) => (d.states['Stuck'] = stable({ health: 'error', description: 'Needs a person.' }) as never),
  },
  {
    what: 'a state has another display name',
    alter: (d) => (d.states['Ready'] = { ...d.states['Ready'], displayName: 'Ready to go' }),
  },
  {
    what: 'a state is constrained by what holds anyway',
    alter: (d) =>
      (d.states['Ready'] = {
        ...d.states['Ready'],
        constraint: z.object({ properties: z.object({ size: z.number().min(0) }) }),
      }),
  },
  {
    what: 'an event is new',
    alter: (d) => {
      d.events['note'] = { params: z.object({ note: z.string() }), in: 'Ready' };
      d.actions['note'] = { on: 'note', in: 'Ready' };
    },
  },
  {
    what: 'an event is valid in more states',
    alter: (d) => {
      d.events['gather'] = { in: ['Ready', 'Stuck'] };
      d.actions['gather'] = { on: 'gather', in: ['Ready', 'Stuck'], to: 'Parts' };
    },
  },
  {
    what: 'a parameter is optional',
    alter: (d) =>
      (d.events['change'] = {
        ...d.events['change'],
        params: z.object({ size: z.number(), unit: z.string().optional() }),
      }),
  },
  {
    what: 'a parameter may be left out',
    alter: (d) =>
      (d.events['place'] = {
        params: z.object({ amount: z.number().default(1), hint: z.string().optional() }),
        in: 'New',
      }),
  },
  {
    what: 'a parameter may be a text too',
    alter: (d) =>
      (d.events['change'] = { ...d.events['change'], params: z.object({ size: z.union([z.number(), z.string()]) }) }),
  },
  {
    what: 'an event takes parameters that may be left out',
    alter: (d) => (d.events['gather'] = { params: z.object({ soon: z.boolean().optional() }), in: 'Ready' }),
  },
  {
    what: 'more roles may raise an event',
    alter: (d) => (d.events['drop'] = { ...d.events['drop'], roles: ['owner', 'operator', 'clerk'] }),
  },
  { what: 'more roles may read', alter: (d) => (d.roles['read'] = ['reader', 'operator', 'guest']) },
  { what: 'an event has words', alter: (d) => (d.events['gather'] = { in: 'Ready', displayName: 'Gather the parts' }) },
  { what: 'an event has a budget', alter: (d) => (d.events['place'] = { ...d.events['place'], budget: '5m' }) },
  { what: 'an event cancels others', alter: (d) => (d.events['drop'] = { ...d.events['drop'], interrupts: 'cancel' }) },
  { what: 'an event aborts an action', alter: (d) => (d.events['drop'] = { ...d.events['drop'], busy: 'abort' }) },
  {
    what: 'an action may go to more states',
    alter: (d) => (d.actions['change'] = { on: 'change', in: ['Ready', 'Stuck'], to: ['Ready', 'Packing'] }),
  },
  {
    what: 'an action says what it raises',
    alter: (d) => (d.actions['pack'] = { in: 'Packing', to: ['Ready', 'Stuck'], raises: ['Other.stay'] }),
  },
  {
    what: 'a time-out comes later',
    alter: (d) =>
      (d.subscriptions['gathered'] = { ...d.subscriptions['gathered'], timeout: { after: '2h', raise: 'gathered' } }),
  },
  {
    what: 'no time-out',
    alter: (d) => (d.subscriptions['gathered'] = { when: all({ is: 'settled' }), raise: 'gathered' }),
  },
  { what: 'a timer ticks less often', alter: (d) => (d.timers['check'] = { every: '2h', raise: 'expire' }) },
  {
    what: 'a timer ticks by a calendar',
    alter: (d) => (d.timers['check'] = { cron: '0 3 * * *', timeZone: 'Europe/Berlin', raise: 'expire' }),
  },
  {
    what: 'a timer by calendar is new',
    alter: (d) => (d.timers['look'] = { cron: '0 3 * * *', raise: 'expire' }),
  },
  { what: 'no timer', alter: (d) => (d.timers = {}) },
  { what: 'a key may be longer', alter: (d) => (d.key = z.string().max(80)) },
  {
    what: 'creating may give more',
    alter: (d) => (d.construct = z.object({ size: z.number().optional(), note: z.string().optional() })),
  },
  {
    what: 'a property is new, and secret',
    alter: (d) => {
      d.properties['pin'] = z.string().default('');
      d.secret.push('pin');
    },
  },
  {
    what: 'a secret property has another name',
    alter: (d) => {
      const { tags, ...others } = d.properties;
      Object.assign(d, { schema: 2, secret: ['labels'], properties: { ...others, labels: tags } });
      d.renamed['properties'] = { tags: 'labels' };
    },
  },
  { what: 'a dimension is new', alter: (d) => (d.dimensions['size'] = 'properties.size') },
  { what: 'another description', alter: (d) => (d.description = 'Something that was ordered.') },
  {
    what: 'a call takes more',
    alter: (d) =>
      (d.calls['pack'] = { ...d.calls['pack'], input: z.object({ box: z.string(), size: z.number().optional() }) }),
  },
  { what: 'a call is new', alter: (d) => (d.calls['weigh'] = { input: z.object({}), output: z.object({}) }) },
  {
    what: 'more may deploy a component',
    alter: (d) => (d.component = { ...d.component, roles: { deploy: ['owner', 'clerk'] } }),
  },
  {
    what: 'more jobs of an operation run at once',
    alter: (d) => (d.operation = { ...d.operation, atOnce: 20 }),
  },
  {
    what: 'another message of a rejection',
    alter: (d) =>
      (d.events['change'] = {
        ...d.events['change'],
        otherwise: { Packing: { code: 'packing', message: 'Wait until it is packed.' } },
      }),
  },
  { what: 'a call is made inline', alter: (d) => (d.calls['pack'] = { ...d.calls['pack'], answer: 'inline' }) },
];
