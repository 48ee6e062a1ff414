import { z } from 'zod';
import {
  defineEntity,
  deleted,
  implementActions,
  initial,
  link,
  stable,
  unstable,
} from '../../src/definition/index.js';

/** A subscription to a magazine, as the first build declares it. Q2 */
export const FirstSubscriber = defineEntity('Subscriber', {
  key: z.string(),
  properties: z.object({
    name: z.string().default(''),
    plan: z.string().default('basic'),
    months: z.number().default(0),
  }),
  links: { magazine: link('Magazine') },
  states: {
    New: initial(),
    Trial: stable({ deadline: { after: '30m', raise: 'lapse' } }),
    Paying: stable(),
    Renewing: unstable({ retry: { delay: '1s', attempts: 3, exhausted: 'Paying' } }),
    Paused: stable(),
    Gone: deleted(),
  },
  events: {
    subscribe: { params: z.object({ name: z.string() }), in: 'New' },
    pay: { params: z.object({ months: z.number() }), in: ['Trial', 'Paying'] },
    renew: { in: 'Paying' },
    pause: { in: 'Paying', otherwise: { Trial: { code: 'not_paying', message: 'A trial cannot be paused' } } },
    lapse: { in: 'Trial' },
    leave: { in: ['Trial', 'Paying', 'Paused'] },
  },
  actions: {
    subscribe: { on: 'subscribe', in: 'New', to: 'Trial' },
    pay: { on: 'pay', in: ['Trial', 'Paying'], to: 'Paying' },
    renew: { on: 'renew', in: 'Paying', to: 'Renewing' },
    charge: { in: 'Renewing', to: 'Paying' },
    pause: { on: 'pause', in: 'Paying', to: 'Paused' },
    lapse: { on: 'lapse', in: 'Trial', to: 'Paused' },
    leave: { on: 'leave', in: ['Trial', 'Paying', 'Paused'], to: 'Gone' },
  },
});

export const firstSubscriber = implementActions(FirstSubscriber, {
  subscribe: async (app, { params }) => {
    app.properties.name = params.name;
    app.links.magazine = 'weekly';
    return app.goTo('Trial');
  },
  pay: async (app, { params }) => {
    app.properties.months += params.months;
    return app.goTo('Paying');
  },
  renew: async (app) => app.goTo('Renewing'),
  charge: async (app) => {
    app.properties.months += 1;
    return app.goTo('Paying');
  },
  pause: async (app) => app.goTo('Paused'),
  lapse: async (app) => app.goTo('Paused'),
  leave: async (app) => app.goTo('Gone'),
});

/**
 * The build of today: a name, a state, a link and an event have other names, a state is gone, the plan is one of two, and what was
 * paid is counted as credits.
 */
export const Subscriber = defineEntity('Subscriber', {
  schema: 3,
  migrations: {
    2: {
      up: ({ properties: { months, ...properties } }) => ({
        properties: { ...properties, credits: Number(months) * 10 },
      }),
      down: ({ properties: { credits, ...properties } }) => ({
        properties: { ...properties, months: Math.round(Number(credits) / 10) },
      }),
    },
    3: {
      up: ({ state, properties }) => ({
        ...(state === 'Paused' && { state: 'Lapsed' as const }),
        properties: {
          fullName: String(properties['name']),
          credits: Number(properties['credits']),
          plan: properties['plan'] === 'basic' ? ('basic' as const) : ('plus' as const),
        },
      }),
      down: ({ state, properties: { fullName, ...properties }, links: { title, ...links } }) => ({
        state: { Active: 'Paying', Lapsed: 'Paused' }[state] ?? state,
        properties: { ...properties, name: fullName },
        links: { ...links, ...(title !== undefined && { magazine: title }) },
      }),
    },
  },
  renamed: {
    states: { Paying: 'Active' },
    properties: { name: 'fullName' },
    links: { magazine: 'title' },
    events: { pay: 'topUp' },
  },
  key: z.string(),
  properties: z.object({
    fullName: z.string().default(''),
    plan: z.enum(['basic', 'plus']).default('basic'),
    credits: z.number().default(0),
  }),
  links: { title: link('Magazine') },
  states: {
    New: initial(),
    Trial: stable({ deadline: { after: '30m', raise: 'lapse' } }),
    Active: stable({ deadline: { after: '10m', raise: 'lapse' } }),
    Renewing: unstable({ retry: { delay: '1s', attempts: 3, exhausted: 'Active' } }),
    Lapsed: stable(),
    Gone: deleted(),
  },
  events: {
    subscribe: { params: z.object({ name: z.string() }), in: 'New' },
    topUp: { params: z.object({ months: z.number().max(24) }), in: ['Trial', 'Active', 'Lapsed'] },
    renew: { in: 'Active', otherwise: { Lapsed: { code: 'lapsed', message: 'It has lapsed' } } },
    lapse: { in: ['Trial', 'Active'] },
    leave: { in: ['Trial', 'Active', 'Lapsed'] },
  },
  actions: {
    subscribe: { on: 'subscribe', in: 'New', to: 'Trial' },
    topUp: { on: 'topUp', in: ['Trial', 'Active', 'Lapsed'], to: 'Active' },
    renew: { on: 'renew', in: 'Active', to: 'Renewing' },
    charge: { in: 'Renewing', to: 'Active' },
    lapse: { on: 'lapse', in: ['Trial', 'Active'], to: 'Lapsed' },
    leave: { on: 'leave', in: ['Trial', 'Active', 'Lapsed'], to: 'Gone' },
  },
});

export const subscriber = implementActions(Subscriber, {
  subscribe: async (app, { params }) => {
    app.properties.fullName = params.name;
    app.links.title = 'weekly';
    return app.goTo('Trial');
  },
  topUp: async (app, { params }) => {
    app.properties.credits += params.months * 10;
    return app.goTo('Active');
  },
  renew: async (app) => app.goTo('Renewing'),
  charge: async (app) => {
    app.properties.credits += 10;
    return app.goTo('Active');
  },
  lapse: async (app) => app.goTo('Lapsed'),
  leave: async (app) => app.goTo('Gone'),
});
