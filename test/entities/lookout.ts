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

/** An entity that several lookouts share. */
export const Beacon = defineEntity('Beacon', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Lit: stable(), Out: terminal() },
  events: { light: { in: 'Absent' }, ask: { in: 'Lit' }, quench: { in: 'Lit' } },
  actions: {
    light: { on: 'light', in: 'Absent', to: 'Lit' },
    ask: { on: 'ask', in: 'Lit' },
    quench: { on: 'quench', in: 'Lit', to: 'Out' },
  },
});

/** Looks after its beacon for life, and asks it from within an action: its report comes while another lookout waits too. */
export const Lookout = defineEntity('Lookout', {
  key: z.string(),
  properties: z.object({ heard: z.string().default('') }),
  states: {
    Off: initial(),
    Watching: stable(),
    Asking: unstable({ retry: { delay: '1s', attempts: 1 } }),
    Alarmed: terminal(),
  },
  events: { watch: { in: 'Off' }, ask: { in: 'Watching' }, alarm: { in: ['Watching', 'Asking'] } },
  actions: {
    watch: { on: 'watch', in: 'Off', to: 'Watching' },
    ask: { on: 'ask', in: 'Watching', to: 'Asking' },
    inquire: { in: 'Asking', to: 'Watching' },
    alarm: { on: 'alarm', in: ['Watching', 'Asking'], to: 'Alarmed' },
  },
  subscriptions: { alarm: { when: any({ of: Beacon, is: 'failed' }), raise: 'alarm', among: 'life' } },
});

export const beacon = implementActions(Beacon, {
  light: async (app) => app.goTo('Lit'),
  ask: async () => undefined,
  quench: async (app) => app.goTo('Out'),
});

export const lookout = implementActions(Lookout, {
  watch: async (app) => {
    await app.raiseAndWait(Beacon, 'shared', 'ask', { within: '1h' });
    return app.goTo('Watching');
  },
  ask: async (app) => app.goTo('Asking'),
  inquire: async (app) => {
    const outcome = await app.raiseAndWait(Beacon, 'shared', 'ask', { within: '1h' });
    app.properties.heard = outcome.status;
    return app.goTo('Watching');
  },
  alarm: async (app) => app.goTo('Alarmed'),
});
