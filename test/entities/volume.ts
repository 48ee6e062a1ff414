import { z } from 'zod';
import {
  all,
  and,
  defineEntity,
  deleted,
  implementActions,
  initial,
  link,
  linked,
  not,
  parameter,
  property,
  rejection,
  stable,
  terminal,
  type Condition,
} from '../../src/definition/index.js';
import { machines } from './job.js';

const isUnlocked: Condition<'properties.lock.held'> = property('lock.held').is(false);
const unlocked = { is: isUnlocked, otherwise: rejection('volume_locked', 'The volume is locked') };

/** A volume of storage whose events depend on what it holds. S2.2 */
export const Volume = defineEntity('Volume', {
  key: z.string(),
  properties: z.object({
    size: z.number().default(1),
    most: z.number().default(8),
    lock: z.object({ held: z.boolean(), by: z.string().optional() }).default({ held: false }),
    checks: z.number().default(0),
    days: z.array(z.string()).default([]),
  }),
  links: { host: link('Host') },
  construct: z.object({ size: z.number().optional() }),
  states: {
    New: initial(),
    Ready: stable(),
    Lent: stable({ deadline: { after: '500ms', raise: 'giveBack' } }),
    Copying: stable({ waiting: true }),
    Gone: deleted(),
  },
  events: {
    create: {
      in: 'New',
      when: [{ is: property('size').isAtMost(property('most')), otherwise: rejection('too_large') }],
    },
    resize: {
      params: z.object({ size: z.number() }),
      in: 'Ready',
      when: [
        unlocked,
        { is: and(parameter('size').isAbove(property('size')), parameter('size').isAtMost(property('most'))) },
      ],
    },
    lock: { params: z.object({ by: z.string() }), in: ['Ready', 'Lent', 'Copying'], stays: true, when: [unlocked] },
    unlock: { in: ['Ready', 'Lent', 'Copying'], stays: true, when: [{ is: property('lock.held').is(true) }] },
    attach: { params: z.object({ host: z.string() }), in: 'Ready' },
    lend: { in: 'Ready' },
    giveBack: { in: 'Lent', when: [unlocked] },
    check: { in: 'Ready', internal: true, stays: true, when: [unlocked] },
    copy: { in: 'Ready' },
    copied: { in: 'Copying', internal: true, when: [unlocked] },
    remove: {
      in: 'Ready',
      when: [
        unlocked,
        { is: not(linked('host').isSet()), otherwise: rejection('attached', 'Detach the volume first.') },
      ],
    },
  },
  actions: {
    create: { on: 'create', in: 'New', to: 'Ready' },
    resize: { on: 'resize', in: 'Ready' },
    lock: { on: 'lock', in: ['Ready', 'Lent', 'Copying'] },
    unlock: { on: 'unlock', in: ['Ready', 'Lent', 'Copying'] },
    attach: { on: 'attach', in: 'Ready' },
    lend: { on: 'lend', in: 'Ready', to: 'Lent' },
    giveBack: { on: 'giveBack', in: 'Lent', to: 'Ready' },
    check: { on: 'check', in: 'Ready' },
    copy: { on: 'copy', in: 'Ready', to: 'Copying', raises: ['Copy.start'] },
    copied: { on: 'copied', in: 'Copying', to: 'Ready' },
    remove: { on: 'remove', in: 'Ready', to: 'Gone' },
  },
  subscriptions: { done: { when: all({ of: 'Copy', in: 'Done' }), raise: 'copied' } },
  timers: { checking: { every: '400ms', raise: 'check' } },
});

/** A copy that is made at once. */
export const Copy = defineEntity('Copy', {
  key: z.string(),
  properties: z.object({}),
  states: { New: initial(), Done: terminal() },
  events: { start: { in: 'New' } },
  actions: { start: { on: 'start', in: 'New', to: 'Done' } },
});

export const copy = implementActions(Copy, { start: async (app) => app.goTo('Done') });

export const volume = implementActions(Volume, {
  create: async (app) => app.goTo('Ready'),
  resize: async (app, { params }) => {
    app.properties.size = params.size;
  },
  lock: async (app, { params }) => {
    app.properties.lock = { held: true, by: params.by };
  },
  unlock: async (app) => {
    app.properties.lock = { held: false };
  },
  attach: async (app, { params }) => {
    await app.call(machines.work, { on: app.key });
    app.links.host = params.host;
  },
  lend: async (app) => app.goTo('Lent'),
  giveBack: async (app) => app.goTo('Ready'),
  check: async (app) => {
    app.properties.checks++;
  },
  copy: async (app) => {
    app.create(Copy, app.key, 'start');
    return app.goTo('Copying');
  },
  copied: async (app) => app.goTo('Ready'),
  remove: async (app) => app.goTo('Gone'),
});
