import { z } from 'zod';
import {
  defineEntity,
  defineResource,
  deleted,
  implementActions,
  initial,
  stable,
  unstable,
} from '../../src/definition/index.js';

const named = { input: z.object({ name: z.string() }), output: z.object({}) };

/** Makes and removes networks. Only what it makes and removes can be left behind. */
export const cloud = defineResource('cloud', {
  make: { ...named, timeout: '2m', heartbeat: '1s' },
  remove: { ...named },
  look: { ...named, timeout: '2m', heartbeat: '1s', waitOnAbort: false },
});

/** Can be removed while it is being made. */
export const Net = defineEntity('Net', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Absent: initial(),
    Making: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Failed' } }),
    Looking: unstable({ retry: { attempts: 3, delay: '1s', exhausted: 'Failed' } }),
    Up: stable(),
    Failed: stable({ health: 'error' }),
    Removing: unstable({ retry: { delay: '1s' } }),
    Gone: deleted(),
  },
  events: {
    create: { in: 'Absent' },
    look: { in: 'Up' },
    remove: { in: ['Making', 'Looking', 'Up', 'Failed'], busy: 'abort', interrupts: 'cancel' },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Making' },
    make: { in: 'Making', to: 'Up' },
    beginLook: { on: 'look', in: 'Up', to: 'Looking' },
    look: { in: 'Looking', to: 'Up' },
    remove: { on: 'remove', in: ['Making', 'Looking', 'Up', 'Failed'], to: 'Removing' },
    clear: { in: 'Removing', to: 'Gone' },
  },
});

export const net = implementActions(Net, {
  begin: async (app) => app.goTo('Making'),
  make: async (app) => {
    await app.call(cloud.make, { name: app.key });
    return app.goTo('Up');
  },
  beginLook: async (app) => app.goTo('Looking'),
  look: async (app) => {
    await app.call(cloud.look, { name: app.key });
    return app.goTo('Up');
  },
  remove: async (app) => app.goTo('Removing'),
  clear: async (app) => {
    await app.call(cloud.remove, { name: app.key });
    return app.goTo('Gone');
  },
});
