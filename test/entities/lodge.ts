import { z } from 'zod';
import { any, defineEntity, implementActions, initial, stable, terminal } from '../../src/definition/index.js';
import { Job } from './job.js';

/** Has a job done, and hears of its end only while it is open. */
export const Lodge = defineEntity('Lodge', {
  key: z.string(),
  properties: z.object({}),
  states: { New: initial(), Closed: stable(), Open: stable(), Late: terminal(), Told: terminal() },
  events: {
    start: { in: 'New' },
    open: { in: 'Closed' },
    heard: { in: ['Closed', 'Open'] },
    late: { in: ['Closed', 'Open'] },
  },
  actions: {
    start: { on: 'start', in: 'New', to: 'Closed', raises: ['Job.start'] },
    open: { on: 'open', in: 'Closed', to: 'Open' },
    heard: { on: 'heard', in: ['Closed', 'Open'], to: 'Told' },
    late: { on: 'late', in: ['Closed', 'Open'], to: 'Late' },
  },
  subscriptions: {
    heard: {
      when: any({ of: Job, is: 'settled' }),
      raise: 'heard',
      in: 'Open',
      among: 'life',
      timeout: { after: '1h', raise: 'late' },
    },
  },
});

export const lodge = implementActions(Lodge, {
  start: async (app) => {
    app.create(Job, app.key, 'start');
    return app.goTo('Closed');
  },
  open: async (app) => app.goTo('Open'),
  heard: async (app) => app.goTo('Told'),
  late: async (app) => app.goTo('Late'),
});
