import { z } from 'zod';
import { defineEntity, implementActions, initial, property, stable, terminal } from '../../src/definition/index.js';

/** A permit that expires at a time in one property, and lapses after a length of time in another one. S4.5 */
export const Permit = defineEntity('Permit', {
  key: z.string(),
  properties: z.object({
    expiresAt: z.iso.datetime().optional(),
    grace: z.union([z.number(), z.string()]).optional(),
    expiries: z.number().default(0),
  }),
  states: {
    New: initial(),
    Valid: stable({ deadline: { at: property('expiresAt'), raise: 'expire' } }),
    Grace: stable({ deadline: { after: property('grace'), raise: 'lapse' } }),
    Lapsed: terminal(),
  },
  events: {
    issue: {
      params: z.object({ inMs: z.number().optional(), grace: z.union([z.number(), z.string()]).optional() }),
      in: 'New',
    },
    extend: { params: z.object({ byMs: z.number() }), in: 'Valid', stays: true },
    expire: { in: 'Valid', internal: true },
    lapse: { in: 'Grace', internal: true },
    renew: { in: 'Grace' },
  },
  actions: {
    issue: { on: 'issue', in: 'New', to: 'Valid' },
    extend: { on: 'extend', in: 'Valid' },
    // A permit without grace is only noted.
    expire: { on: 'expire', in: 'Valid', to: ['Grace', 'Valid'] },
    lapse: { on: 'lapse', in: 'Grace', to: 'Lapsed' },
    renew: { on: 'renew', in: 'Grace', to: 'Valid' },
  },
});

const later = (now: number, ms: number) => new Date(now + ms).toISOString();

export const permit = implementActions(Permit, {
  issue: async (app, { params: { inMs, grace } }) => {
    if (inMs !== undefined) app.properties.expiresAt = later(app.now(), inMs);
    app.properties.grace = grace;
    return app.goTo('Valid');
  },
  extend: async (app, { params }) => {
    app.properties.expiresAt = later(app.now(), params.byMs);
  },
  expire: async (app) => {
    app.properties.expiries++;
    return app.goTo(app.properties.grace === undefined ? 'Valid' : 'Grace');
  },
  lapse: async (app) => app.goTo('Lapsed'),
  renew: async (app) => {
    app.properties.expiresAt = undefined;
    return app.goTo('Valid');
  },
});
