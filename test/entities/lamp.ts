import { z } from 'zod';
import { component, eventCounter, sequence } from '../../src/components/index.js';

/** A component that belongs to whoever has deployed it: it waits for events. */
export const Lamp = component('Lamp', {
  attributes: z.object({ colour: z.string().max(20).default('white') }),
  roles: { deploy: ['owner', 'operator'], read: ['reader', 'owner', 'operator'], operate: ['owner', 'operator'] },
  deploys: () => sequence({ counter: eventCounter({ count: 2 }) }),
});

/** A component that says nothing of roles: for operators. */
export const Furnace = component('Furnace', { deploys: () => eventCounter({ count: 1 }) });
