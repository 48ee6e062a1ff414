import { defineEntity, deleted, implementActions, initial, stable } from 'reeve/definition';
import { z } from 'zod';

/** The entity type of the examples. Each website belongs to a tenant, whose owners edit it and whose visitors visit it. */
export const Website = defineEntity('Website', {
  key: z.string(),
  dimensions: { tenant: 'tenant' },
  roles: { read: ['owner'], raise: ['owner'] },
  properties: z.object({ title: z.string().default(''), edits: z.number().default(0), visits: z.number().default(0) }),
  states: { Draft: initial(), Live: stable(), Gone: deleted() },
  events: {
    publish: { in: 'Draft' },
    edit: { in: 'Live', params: z.object({ title: z.string() }) },
    visit: { in: 'Live', roles: ['owner', 'visitor'] },
    takeDown: { in: 'Live' },
  },
  actions: {
    publish: { on: 'publish', in: 'Draft', to: 'Live' },
    edit: { on: 'edit', in: 'Live' },
    visit: { on: 'visit', in: 'Live' },
    takeDown: { on: 'takeDown', in: 'Live', to: 'Gone' },
  },
});

export const website = implementActions(Website, {
  publish: async (site) => site.goTo('Live'),
  edit: async (site, { params }) => {
    site.properties.title = params.title;
    site.properties.edits++;
  },
  visit: async (site) => {
    site.properties.visits++;
  },
  takeDown: async (site) => site.goTo('Gone'),
});
