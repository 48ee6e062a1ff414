import { alreadyDone, defineEntity, deleted, initial, stable, unstable } from 'reeve/definition';
import { z } from 'zod';

/** A page that is published: what it is, which states it has, and what may be done with it by whom. */
export const Site = defineEntity('Site', {
  description: 'A page that is published',
  key: z.string().regex(/^[a-z0-9-]{1,60}$/),
  properties: z.object({ text: z.string().default(''), file: z.string().optional() }),
  construct: z.object({ text: z.string().min(1) }),
  states: {
    Absent: initial(),
    Publishing: unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'Failed' } }),
    Published: stable(),
    Removing: unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'Failed' } }),
    Failed: stable({ health: 'error' }),
    Gone: deleted(),
  },
  events: {
    create: { in: 'Absent', otherwise: { Published: alreadyDone() } },
    rewrite: { in: ['Published', 'Failed'], params: z.object({ text: z.string().min(1) }) },
    remove: { in: ['Published', 'Failed'] },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Publishing' },
    rewrite: { on: 'rewrite', in: ['Published', 'Failed'], to: 'Publishing' },
    // Without an event, it runs by itself when the state is entered.
    publish: { in: 'Publishing', to: 'Published' },
    startRemoval: { on: 'remove', in: ['Published', 'Failed'], to: 'Removing' },
    remove: { in: 'Removing', to: 'Gone' },
  },
  roles: { read: ['reader', 'author', 'operator'], raise: ['author', 'operator'], operate: ['operator'] },
});
