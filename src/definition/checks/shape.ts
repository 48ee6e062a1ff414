import { z } from 'zod';
import type { DeclarationProblem } from '../declaration-error.js';
import { conditionShape } from './condition-shape.js';
import { predicateShape } from './predicate-shape.js';

const schema = z.custom(
  (value) => typeof value === 'object' && value !== null && '_zod' in value,
  'is not a zod schema',
);
const object = z.custom(
  (value) => typeof value === 'object' && value !== null && '_zod' in value && 'shape' in value,
  'is not a zod object',
);
const text = z.string('is not a text');
const flag = z.boolean('is neither true nor false');
const names = z.union([z.string(), z.array(z.string())], 'is neither a name nor a list of names');
const roles = z.array(z.string('is not a valid role name'), 'is not a list of roles');
const raised = z.string().regex(/^[A-Z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/, 'names no event of a type');
const record = <T extends z.ZodType>(member: T) => z.record(z.string(), member, 'is not an object');
const members = <T extends z.ZodRawShape>(shape: T) =>
  z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? undefined : 'is not an object') });

function isMigration(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { up, down } = value as { readonly up?: unknown; readonly down?: unknown };
  return typeof up === 'function' && typeof down === 'function';
}

const answer = () => members({ code: text, message: text.optional() });
const busy = () =>
  z.union([z.enum(['wait', 'abort', 'reject']), answer()], "is neither 'wait', 'abort' nor 'reject', nor a rejection");
const retryRule = () => ({
  attempts: z.unknown().optional(),
  delay: z.unknown().optional(),
  growth: z.unknown().optional(),
  maxDelay: z.unknown().optional(),
  exhausted: text.optional(),
});
const timeProperty = z.object({ of: z.string().regex(/^properties\./, 'names no property') }, 'names no property');
const oneShot = () => members({ after: z.unknown().optional(), at: timeProperty.optional(), raise: text });

const declaration = members({
  name: text,
  description: text.optional(),
  schema: z.int('is not a whole number').min(1, 'is less than 1'),
  migrations: record(z.custom(isMigration, 'is neither a function nor { up, down } with two functions')),
  renamed: members({
    states: record(text).optional(),
    properties: record(text).optional(),
    links: record(text).optional(),
    events: record(text).optional(),
  }),
  key: schema,
  properties: object,
  links: record(members({ to: text, many: flag, mustExist: flag.optional() })),
  subordinates: record(schema),
  construct: object.optional(),
  fixed: z.array(text, 'is not a list of names'),
  secret: z.array(text, 'is not a list of names'),
  dimensions: record(text),
  roles: members({ read: roles.optional(), raise: roles.optional(), operate: roles.optional() }).optional(),
  states: record(
    members({
      initial: flag,
      stability: z.enum(['stable', 'unstable'], 'is neither stable nor unstable'),
      ending: z.enum(['deleted', 'terminal'], 'is neither deleted nor terminal').optional(),
      waiting: flag,
      health: z.enum(['normal', 'error'], 'is neither normal nor error'),
      // Durations and numbers have checks of their own, which say more.
      wait: z.unknown().optional(),
      retry: members({ ...retryRule(), errors: record(members(retryRule())).optional() }).optional(),
      busy: busy().optional(),
      deadline: oneShot().optional(),
      deploys: text.optional(),
      ended: text.optional(),
      endWithin: z.unknown().optional(),
      constraint: schema.optional(),
      displayName: text.optional(),
      description: text.optional(),
    }),
  ),
  events: record(
    members({
      params: schema.optional(),
      in: names,
      interrupts: z.enum(['continue', 'cancel'], 'is neither continue nor cancel').optional(),
      busy: z
        .union([busy(), record(busy().optional())], "is neither 'wait', 'abort' nor 'reject', nor a rejection")
        .optional(),
      stays: flag.optional(),
      budget: z.unknown().optional(),
      internal: flag.optional(),
      answer: flag.optional(),
      roles: roles.optional(),
      otherwise: record(answer().optional()).optional(),
      when: z.array(members({ is: conditionShape(), otherwise: answer().optional() }), 'is not a list').optional(),
      needs: members({ type: text, key: schema, unless: record(answer()), absent: answer() }).optional(),
      displayName: text.optional(),
      description: text.optional(),
    }),
  ),
  actions: record(
    members({
      on: text.optional(),
      in: names,
      to: names.optional(),
      wait: z.unknown().optional(),
      raises: z.array(raised, 'is not a list').optional(),
    }),
  ),
  subscriptions: record(
    members({
      when: predicateShape(),
      raise: text,
      in: names.optional(),
      among: z.enum(['operation', 'life'], 'is neither operation nor life').optional(),
      timeout: oneShot().optional(),
    }),
  ),
  busy: busy().optional(),
  cancel: text.optional(),
  timers: record(
    members({
      every: z.unknown().optional(),
      cron: z.unknown().optional(),
      timeZone: z.unknown().optional(),
      raise: text,
    }),
  ),
  limits: record(
    members({ in: z.array(z.string(), 'is not a list of states'), after: z.unknown().optional(), raise: text }),
  ).optional(),
});

/** Checks the shape of a declaration, since authors of plain JavaScript have no compiler that does it. */
export function shapeProblems(entity: unknown): readonly DeclarationProblem[] {
  const parsed = declaration.safeParse(entity);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    const remedy = remedyFor(path);
    if (issue.code !== 'unrecognized_keys') return [{ place: path.join('.'), problem: issue.message, remedy }];
    return issue.keys.map((key) => ({ place: [...path, key].join('.'), problem: 'is not an option here', remedy }));
  });
}

const REMEDIES: Readonly<Record<string, string>> = {
  '':
    'A declaration has schema, migrations, renamed, key, properties, links, subordinates, construct, fixed, secret, dimensions, ' +
    'roles, states, events, actions, ' +
    'subscriptions, timers, busy, cancel and a description.',
  name: "Write defineEntity('Name', { ... }).",
  description: 'Write a sentence.',
  schema: 'Write schema: 2, or leave it out, which means 1.',
  migrations:
    'Write migrations: { 2: (old) => ({ properties: { ...old.properties, size: 1 } }) }, or { 2: { up: (old) => ..., down: (present) => ... } }.',
  renamed: "Write renamed: { properties: { size: 'gigabytes' } }, from the old name to the new one.",
  key: 'Write key: z.string(), or key: z.object({ server: z.string(), name: z.string() }).',
  properties: 'Write properties: z.object({ ... }).',
  links: "Write links: { application: link('SqlApplication'), databases: links('Database', { mustExist: true }) }.",
  subordinates: 'Write subordinates: { rules: z.object({ ... }) }.',
  construct: 'Write construct: z.object({ ... }) with names of properties and links.',
  fixed: "Write fixed: ['region'] with names of properties.",
  secret: "Write secret: ['iban'] with names of properties.",
  dimensions: "Write dimensions: { logical_server_id: 'key', cluster_id: 'properties.cluster' }.",
  roles: "Write roles: { read: ['reader'], raise: ['owner', 'operator'], operate: ['operator'] }.",
  states: 'Make it with initial(), stable(), unstable(), terminal() or deleted().',
  'states.displayName': "Write displayName: 'Requires capture'.",
  'states.constraint': 'Write constraint: z.object({ properties: z.object({ ... }) }).',
  'states.retry': "Write retry: { attempts: 5, delay: '1s', growth: 2, maxDelay: '1m', exhausted: 'Failed' }.",
  'states.deploys': "Write deploys: 'system', ended: 'systemEnded'.",
  'states.busy': "Write busy: 'reject', 'abort', 'wait', or rejection('code', 'message').",
  'states.deadline': "Write deadline: { after: '10m', raise: 'event' }.",
  events: "Write { in: 'State' }, with params: z.object({ ... }) where it takes some.",
  'events.displayName': "Write displayName: 'Capture the payment'.",
  'events.roles': "Write roles: ['owner', 'operator'].",
  'events.params': 'Write params: z.object({ ... }).',
  'events.otherwise': "Write otherwise: { State: alreadyDone() }, or another answer: rejection('code', 'message').",
  'events.when': "Write when: [{ is: property('maintenance').is(false), otherwise: rejection('code', 'message') }].",
  'events.busy': "Write busy: 'reject', or by state: busy: { Deploying: rejection('code', 'message') }.",
  'events.needs':
    "Write needs: { type: 'Server', key: z.string().transform(serverOf), unless: { Creating: rejection('code') }, absent: rejection('code') }.",
  'actions.raises': "Write raises: ['SqlApplication.create'].",
  actions: "Write { on: 'event', in: 'State', to: 'Other' }.",
  subscriptions: "Write { when: all({ ... }), raise: 'event' }.",
  'subscriptions.when': 'Make it with all(), any(), none(), atLeast(), and(), or() and not().',
  'subscriptions.in': "Write in: ['State', 'Other'], or leave it out.",
  'subscriptions.among': "Write 'operation' or 'life', or leave it out.",
  'subscriptions.timeout': "Write timeout: { after: '10m', raise: 'event' }.",
  busy: "Write busy: 'reject', 'abort', 'wait', or rejection('code', 'message').",
  cancel: "Write cancel: 'event'.",
  timers: "Write { every: '1h', raise: 'event' } or { cron: '0 3 * * *', timeZone: 'Europe/Berlin', raise: 'event' }.",
};

/** The most precise remedy for a place. */
function remedyFor([part = '', , member = '']: readonly string[]): string {
  return REMEDIES[`${part}.${member}`] ?? REMEDIES[part] ?? REMEDIES['']!;
}
