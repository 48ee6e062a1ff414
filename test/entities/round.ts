import { z } from 'zod';
import {
  any,
  defineEntity,
  implementActions,
  initial,
  stable,
  terminal,
  unstable,
} from '../../src/definition/index.js';

/** Two unstable states that lead to each other. They are declared to wait, and the actions do not. */
export const Carousel = defineEntity('Carousel', {
  key: z.string(),
  properties: z.object({
    rounds: z.number().default(0),
    most: z.number().default(0),
    paced: z.boolean().default(false),
  }),
  states: {
    Still: initial(),
    Up: unstable({ wait: '1s' }),
    Down: unstable({ retry: { attempts: 3, exhausted: 'Broken' } }),
    Broken: stable({ health: 'error' }),
    Over: terminal(),
  },
  events: {
    turn: {
      in: ['Still', 'Broken'],
      params: z.object({ paced: z.boolean().default(false), most: z.number().default(0) }),
    },
    look: { in: ['Still', 'Broken'] },
  },
  actions: {
    turn: { on: 'turn', in: ['Still', 'Broken'], to: 'Up' },
    look: { on: 'look', in: ['Still', 'Broken'] },
    sink: { in: 'Up', to: ['Down', 'Over'] },
    rise: { in: 'Down', to: ['Up'] },
  },
});

export const carousel = implementActions(Carousel, {
  turn: async (app, { params }) => {
    app.properties.paced = params.paced;
    app.properties.most = params.most;
    return app.goTo('Up', { wait: 0 });
  },
  look: async () => undefined,
  sink: async (app) => {
    app.properties.rounds++;
    const { rounds, most } = app.properties;
    return app.goTo(most > 0 && rounds >= most ? 'Over' : 'Down');
  },
  rise: async (app) => (app.properties.paced ? app.goTo('Up') : app.goTo('Up', { wait: 0 })),
});

/** It raises the event of a subscription that stays matched, and enters its state again each time. */
export const Alarm = defineEntity('Alarm', {
  key: z.string(),
  properties: z.object({ rings: z.number().default(0) }),
  states: { Off: initial(), On: stable({ waiting: true }), Done: terminal() },
  events: { arm: { in: 'Off' }, ring: { in: 'On', internal: true }, end: { in: 'On' } },
  actions: {
    arm: { on: 'arm', in: 'Off', to: 'On', raises: ['Carousel.turn'] },
    ring: { on: 'ring', in: 'On', to: ['On', 'Done'] },
    end: { on: 'end', in: 'On', to: 'Done' },
  },
  subscriptions: { failed: { when: any({ of: 'Carousel', is: 'settled' }), raise: 'ring' } },
});

export const alarm = implementActions(Alarm, {
  arm: async (app) => {
    app.create(Carousel, `${app.key}-carousel`, 'turn', { paced: false, most: 1 });
    return app.goTo('On');
  },
  ring: async (app) => {
    app.properties.rings++;
  },
  end: async (app) => app.goTo('Done'),
});

/** It turns round some times, and serves another one: to and fro between two, or along a row of new ones. */
export const Ball = defineEntity('Ball', {
  key: z.string(),
  properties: z.object({
    to: z.string().default(''),
    grows: z.boolean().default(false),
    spins: z.number().default(0),
    hits: z.number().default(0),
  }),
  states: { Held: initial(), Spinning: unstable({ wait: '1s' }), Flying: stable(), Lost: terminal() },
  events: {
    serve: { in: ['Held', 'Flying'], params: z.object({ to: z.string(), grows: z.boolean().default(false) }) },
    lose: { in: 'Flying' },
  },
  actions: {
    serve: { on: 'serve', in: ['Held', 'Flying'], to: 'Spinning' },
    spin: { in: 'Spinning', to: ['Spinning', 'Flying'], raises: ['Ball.serve'] },
    lose: { on: 'lose', in: 'Flying', to: 'Lost' },
  },
});

/** How often a ball turns round before it serves. */
export const SPINS = 120;

export const ball = implementActions(Ball, {
  serve: async (app, { params }) => {
    Object.assign(app.properties, params, { spins: 0 });
    app.properties.hits++;
    return app.goTo('Spinning', { wait: 0 });
  },
  spin: async (app) => {
    const { to, grows } = app.properties;
    if (++app.properties.spins < SPINS) return app.goTo('Spinning', { wait: 0 });
    const next = to.replace(/\d+$/, (number) => `${Number(number) + 1}`);
    app.create(Ball, to, 'serve', { to: grows ? next : app.key, grows });
    return app.goTo('Flying');
  },
  lose: async (app) => app.goTo('Lost'),
});
