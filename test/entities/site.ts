import { z } from 'zod';
import { defineEntity, deleted, initial, link, links, stable, terminal, unstable } from '../../src/definition/index.js';

const withApplication = z.object({ links: z.object({ application: z.string() }) });

/** A thing with everything that an entity can hold, and states that constrain it. */
export const Site = defineEntity('Site', {
  key: z.string().regex(/^[a-z]+$/, 'write lower-case letters'),
  properties: z.object({
    size: z.number().int().min(1),
    cluster: z.string().default('west'),
    port: z.number().optional(),
  }),
  links: { application: link('Application'), databases: links('Database') },
  subordinates: { firewallRules: z.object({ from: z.string(), to: z.string() }) },
  construct: z.object({ size: z.number(), application: z.string().optional() }),
  dimensions: { site_id: 'key', data_cluster_id: 'properties.cluster', application: 'links.application' },
  states: {
    Empty: initial(stable({ constraint: z.object({ properties: z.object({ size: z.number().max(100) }) }) })),
    Building: unstable({ wait: '1s', retry: { attempts: 2, delay: '2s', exhausted: 'Broken' } }),
    Open: stable({ constraint: z.object({ properties: z.object({ port: z.number() }) }) }),
    Broken: stable({ health: 'error', constraint: withApplication }),
    Archived: terminal(),
    Sealed: terminal({ health: 'error' }),
    Deleted: deleted(),
  },
  events: {
    build: { in: 'Empty' },
    guard: { params: z.object({ name: z.string() }), in: 'Open' },
    archive: { in: ['Open', 'Broken'], otherwise: { Sealed: { code: 'sealed' } } },
    seal: { in: ['Open', 'Broken'] },
    drop: { in: ['Empty', 'Open', 'Broken'] },
  },
  actions: {
    begin: { on: 'build', in: 'Empty', to: 'Building', wait: '5s' },
    build: { in: 'Building', to: ['Open', 'Building'], wait: '7s' },
    guard: { on: 'guard', in: 'Open' },
    archive: { on: 'archive', in: ['Open', 'Broken'], to: 'Archived' },
    seal: { on: 'seal', in: ['Open', 'Broken'], to: 'Sealed' },
    drop: { on: 'drop', in: ['Empty', 'Open', 'Broken'], to: 'Deleted' },
  },
});
