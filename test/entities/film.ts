import { z } from 'zod';
import {
  affinity,
  CallFailed,
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
  type Affinity,
} from '../../src/definition/index.js';

/** Machines that keep what they have loaded, so that it is cut where it was loaded. */
export const studio = defineResource('studio', {
  load: { input: z.object({ key: z.string() }), output: z.object({ on: affinity }) },
  cut: {
    input: z.object({ key: z.string() }),
    output: z.object({ at: z.string() }),
    answer: 'inline',
    heartbeat: '5s',
  },
});

/** Made by workers of their own. */
export const post = defineResource('post', {
  send: { input: z.object({ key: z.string() }), output: z.object({ by: z.string() }), answer: 'inline' },
});

export const Film = defineEntity('Film', {
  key: z.string(),
  properties: z.object({
    cutAt: z.array(z.string()).default([]),
    sentBy: z.string().default(''),
    loads: z.number().default(0),
    on: affinity.optional(),
  }),
  states: { Raw: initial(stable()), Cut: stable(), Sent: terminal() },
  events: {
    cut: { in: ['Raw', 'Cut'], params: z.object({ scenes: z.number() }) },
    send: { in: 'Cut' },
  },
  actions: { cut: { on: 'cut', in: ['Raw', 'Cut'], to: 'Cut' }, send: { on: 'send', in: 'Cut', to: 'Sent' } },
});

export const film = implementActions(Film, {
  cut: async (app, { params: { scenes } }) => {
    const load = async (): Promise<Affinity> => {
      app.properties.loads++;
      return (await app.call(studio.load, { key: app.key })).on;
    };
    let on = app.properties.on ?? (await load());
    while (app.properties.cutAt.length < scenes) {
      try {
        app.properties.cutAt.push((await app.call(studio.cut, { key: app.key }, { on, takenWithin: '10s' })).at);
      } catch (thrown) {
        if (!(thrown instanceof CallFailed && thrown.code === 'worker_gone')) throw thrown;
        on = await load();
      }
    }
    app.properties.on = on;
    return app.goTo('Cut');
  },
  send: async (app) => {
    app.properties.sentBy = (await app.call(post.send, { key: app.key })).by;
    return app.goTo('Sent');
  },
});
