import { z } from 'zod';
import { defineEntity, implementActions, initial, terminal, unstable } from '../../src/definition/index.js';
import { Box, shelf } from './box.js';

/** Asks a box in each attempt, in one entry into the state: the box is asked once. Other events come meanwhile. */
export const Asker = defineEntity('Asker', {
  key: z.string(),
  properties: z.object({ heard: z.array(z.string()).default([]) }),
  states: {
    New: initial(),
    Asking: unstable({ retry: { attempts: 2, delay: '2s', growth: 1 } }),
    Done: terminal(),
  },
  events: {
    begin: { in: 'New' },
    note: { in: 'Asking', stays: true },
    nudge: { in: 'Asking', stays: true, busy: 'abort' },
    takeOver: { in: 'Asking', stays: true, busy: 'abort', interrupts: 'cancel' },
  },
  actions: {
    begin: { on: 'begin', in: 'New', to: 'Asking' },
    ask: { in: 'Asking', to: 'Done' },
    note: { on: 'note', in: 'Asking' },
    nudge: { on: 'nudge', in: 'Asking' },
    takeOver: { on: 'takeOver', in: 'Asking' },
  },
});

/** The name under which an asker looks at the shelf at the end of each attempt. */
export function lookedAt(key: string): string {
  return `${key}-seen`;
}

export const asker = implementActions(Asker, {
  begin: async (app) => app.goTo('Asking'),
  ask: async (app) => {
    const placed = await app.createAndWait(Box, app.key, 'place', { label: 'red' }, { within: '1h' });
    const relabelled = await app.raiseAndWait(Box, app.key, 'relabel', { label: 'blue' }, { within: '1h' });
    await app.call(shelf.look, { name: lookedAt(app.key) });
    app.properties.heard = [placed.status, relabelled.status];
    return app.goTo('Done');
  },
  note: async () => undefined,
  nudge: async () => undefined,
  takeOver: async () => undefined,
});
