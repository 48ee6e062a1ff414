import { defineEntity, deleted, implementActions, initial, stable } from 'reeve/definition';
import { z } from 'zod';

/** The entity type of the example. Both teams have this declaration: it is the contract. */
export const Website = defineEntity('Website', {
  key: z.string(),
  properties: z.object({ title: z.string().default('') }),
  states: { Draft: initial(), Live: stable(), Gone: deleted() },
  events: {
    publish: { in: 'Draft' },
    rename: { in: 'Live', params: z.object({ title: z.string() }) },
    takeDown: { in: 'Live' },
  },
  actions: {
    publish: { on: 'publish', in: 'Draft', to: 'Live' },
    rename: { on: 'rename', in: 'Live' },
    takeDown: { on: 'takeDown', in: 'Live', to: 'Gone' },
  },
});

export const website = implementActions(Website, {
  publish: async (site) => site.goTo('Live'),
  rename: async (site, { params }) => {
    site.properties.title = params.title;
  },
  takeDown: async (site) => site.goTo('Gone'),
});
