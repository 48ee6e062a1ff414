import { implementResource, ResourceError } from 'reeve/worker';
import { parcels, payments, stock } from './order.js';

/** Stand for services. Each call may be repeated: a real one passes `idempotencyKey` on, or is safe to repeat by itself. */
export const resources = [
  implementResource(stock, {
    reserve: async () => ({}),
    release: async () => ({}),
  }),
  implementResource(payments, {
    charge: async () => ({}),
    refund: async () => ({}),
  }),
  implementResource(parcels, {
    send: async ({ order, item }) => {
      if (item === 'piano') throw new ResourceError('too_heavy', 'A parcel has at most 30 kg.');
      return { number: `P-${order}` };
    },
  }),
];
