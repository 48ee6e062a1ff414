import { z } from 'zod';
import { defineEntity, implementActions, initial, terminal, unstable } from '../../src/definition/index.js';
import { pad } from './rig.js';

/** Writes one thing down after the other, by an automatic action that goes to its own state. */
export const List = defineEntity('List', {
  key: z.string(),
  properties: z.object({ left: z.array(z.string()).default([]), again: z.enum(['round', 'attempt']).default('round') }),
  states: {
    New: initial(),
    Writing: unstable({
      retry: { attempts: 3, delay: '100ms' },
      deadline: { after: '10m', raise: 'giveUp' },
    }),
    Done: terminal(),
  },
  events: {
    start: { params: z.object({ left: z.array(z.string()), again: z.enum(['round', 'attempt']) }), in: 'New' },
    giveUp: { in: 'Writing', internal: true },
  },
  actions: {
    start: { on: 'start', in: 'New', to: 'Writing' },
    write: { in: 'Writing', to: ['Writing', 'Done'] },
    giveUp: { on: 'giveUp', in: 'Writing', to: 'Done' },
  },
});

export const list = implementActions(List, {
  start: async (app, { params }) => {
    Object.assign(app.properties, params);
    return app.goTo('Writing');
  },
  write: async (app) => {
    const [text, ...left] = app.properties.left;
    if (text === undefined) return app.goTo('Done');
    await app.call(pad.note, { on: app.key, text });
    app.properties.left = left;
    return app.properties.again === 'round' ? app.nextRound({ wait: '50ms' }) : app.goTo('Writing');
  },
  giveUp: async (app) => app.goTo('Done'),
});
