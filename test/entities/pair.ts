import { z } from 'zod';
import { defineEntity, implementActions, initial, terminal, unstable } from '../../src/definition/index.js';
import { pad } from './rig.js';

/** Writes on two pads side by side, two lines on each. */
export const Pair = defineEntity('Pair', {
  key: z.string(),
  properties: z.object({}),
  states: { New: initial(), Writing: unstable({ retry: { attempts: 5, delay: '100ms' } }), Done: terminal() },
  events: { start: { in: 'New' } },
  actions: { start: { on: 'start', in: 'New', to: 'Writing' }, write: { in: 'Writing', to: 'Done' } },
});

export const pair = implementActions(Pair, {
  start: async (app) => app.goTo('Writing'),
  write: async (app) => {
    const written = await Promise.allSettled(
      ['left', 'right'].map(async (side) => {
        const on = `${app.key}-${side}`;
        const { text } = await app.call(pad.note, { on, text: 'first' });
        await app.call(pad.note, { on, text: `after the ${text}` });
      }),
    );
    for (const side of written) if (side.status === 'rejected') throw side.reason;
    return app.goTo('Done');
  },
});
