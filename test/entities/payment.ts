import { z } from 'zod';
import { alreadyDone, defineEntity, deleted, initial, stable, terminal } from '../../src/definition/index.js';

/** A thing of another domain, whose names are those of that domain; people read other ones. */
export const Payment = defineEntity('Payment', {
  key: z.string(),
  properties: z.object({ amount: z.number().default(0) }),
  states: {
    requires_confirmation: initial(stable({ displayName: 'To be confirmed' })),
    requires_capture: stable({
      displayName: 'Requires capture',
      description: 'The money is reserved.',
      deadline: { after: '7d', raise: 'cancel_payment' },
    }),
    succeeded: terminal(),
    canceled: deleted({ displayName: 'Called off' }),
  },
  events: {
    confirm: { params: z.object({ amount: z.number() }), in: 'requires_confirmation' },
    capture_payment: {
      in: 'requires_capture',
      displayName: 'Capture the money',
      otherwise: { succeeded: alreadyDone() },
    },
    cancel_payment: { in: ['requires_confirmation', 'requires_capture'], displayName: 'Call it off' },
  },
  actions: {
    confirm: { on: 'confirm', in: 'requires_confirmation', to: 'requires_capture' },
    capture: { on: 'capture_payment', in: 'requires_capture', to: 'succeeded' },
    cancel: { on: 'cancel_payment', in: ['requires_confirmation', 'requires_capture'], to: 'canceled' },
  },
});
