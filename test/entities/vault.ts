import { z } from 'zod';
import { defineEntity, deleted, initial, stable, unstable } from '../../src/definition/index.js';
import { shelf } from './box.js';

export { shelf };

/** An entity that belongs to a tenant: roles for everything, and an event that only its owner raises. */
export const Vault = defineEntity('Vault', {
  key: z.string(),
  properties: z.object({ touched: z.number().default(0) }),
  dimensions: { tenant: 'tenant' },
  roles: { read: ['reader', 'owner', 'operator'], raise: ['owner', 'operator'], operate: ['operator'] },
  states: { Absent: initial(), Filling: unstable(), Open: stable(), Sealed: stable(), Deleted: deleted() },
  events: {
    open: { in: 'Absent' },
    touch: { in: 'Open' },
    /** Never valid where the tests raise it. */
    unseal: { in: 'Sealed', roles: ['owner'] },
    seal: { in: 'Open', internal: true },
    store: { params: z.object({ name: z.string() }), in: 'Open', roles: ['owner'] },
    look: { params: z.object({ at: z.string() }), in: 'Open' },
    remove: { in: ['Open', 'Sealed'], roles: ['operator'] },
  },
  actions: {
    begin: { on: 'open', in: 'Absent', to: 'Filling' },
    fill: { in: 'Filling', to: 'Open' },
    touch: { on: 'touch', in: 'Open' },
    unseal: { on: 'unseal', in: 'Sealed', to: 'Open' },
    seal: { on: 'seal', in: 'Open', to: 'Sealed' },
    /** Creates another vault, or raises an event on one that is there. */
    store: { on: 'store', in: 'Open' },
    /** Reads another vault. */
    look: { on: 'look', in: 'Open' },
    remove: { on: 'remove', in: ['Open', 'Sealed'], to: 'Deleted' },
  },
});

/** An entity that belongs to nobody, and says nothing of roles: for operators. */
export const Cellar = defineEntity('Cellar', {
  key: z.string(),
  properties: z.object({}),
  states: { Dug: initial(), Flooded: stable() },
  events: { flood: { in: 'Dug' }, drain: { in: 'Flooded' } },
  actions: {
    flood: { on: 'flood', in: 'Dug', to: 'Flooded' },
    drain: { on: 'drain', in: 'Flooded', to: 'Dug' },
  },
});
