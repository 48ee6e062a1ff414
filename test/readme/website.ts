import { defineEntity, defineResource, deleted, implementActions, initial, stable, unstable } from 'reeve/definition';
import { z } from 'zod';

export const hosting = defineResource('hosting', {
  deploy: { input: z.object({ name: z.string() }), output: z.object({ url: z.string() }), summary: 'deploy {name}' },
});

export const Website = defineEntity('Website', {
  key: z.string(),
  properties: z.object({ url: z.string().optional() }),
  states: {
    Absent: initial(),
    Deploying: unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'Failed' } }),
    Live: stable(),
    Failed: stable({ health: 'error' }),
    Gone: deleted(),
  },
  events: { create: { in: 'Absent' }, takeDown: { in: ['Live', 'Failed'] } },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Deploying' },
    deploy: { in: 'Deploying', to: 'Live' }, // no event: it runs by itself when the state is entered
    takeDown: { on: 'takeDown', in: ['Live', 'Failed'], to: 'Gone' },
  },
});

export const website = implementActions(Website, {
  begin: async (site) => site.goTo('Deploying'),
  deploy: async (site) => {
    site.properties.url = (await site.call(hosting.deploy, { name: site.key })).url;
    return site.goTo('Live'); // site.goTo('Gone') does not compile
  },
  takeDown: async (site) => site.goTo('Gone'),
});
