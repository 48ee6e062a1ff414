import { z } from 'zod';
import type { Described } from './plain.js';

export const chain = z.object({
  /** How many actions it has: each but the first was begun by the one before, without time or anything from outside. */
  length: z.number().int().min(1),
  /** The last ones of a chain that is nearly too long, for people: `Server/orders.install`. */
  last: z.array(z.string()).exactOptional(),
});

/** The chain of actions in which something happens. None where it begins a chain. S1.5a */
export interface Chain extends Described<typeof chain> {}
