import { implementResource, ResourceError } from 'reeve/worker';
import { payments } from './subscription.js';

/** Stands for a payment service, which declines everything above 100. */
export const resources = implementResource(payments, {
  charge: async ({ price }) => {
    if (price > 100) throw new ResourceError('declined', 'The card was declined.');
    return {};
  },
});
