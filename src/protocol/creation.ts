import { z } from 'zod';
import type { Described } from './plain.js';
import { raiseRequest } from './request.js';
import type { Snapshot } from './snapshot.js';

/** The part of the last life's snapshot that the next life reads. Only this is checked: the rest is as Temporal has kept it. */
const lastLife: z.ZodType<unknown> = z.looseObject({
  life: z.string(),
  ledger: z.object({
    recent: z.array(z.looseObject({ id: z.string(), fingerprint: z.string(), operation: z.string() })),
    older: z.array(z.looseObject({ fingerprints: z.string() })),
    forgotten: z.number().int(),
    horizon: z.object({ time: z.number().optional(), untimed: z.literal(true).optional() }).optional(),
    unasked: z.number().optional(),
    sizes: z.looseObject({}).optional(),
  }),
});
export const creation = z.object({
  kind: z.literal('create'),
  key: z.string(),
  /** The event that creates. Without a request, and with the event `created`, the entity begins in its initial state. */
  request: raiseRequest.exactOptional(),
  /** Tells whether the key has had a life before. */
  again: z.boolean().exactOptional(),
  /** The last snapshot of the key's last life: its request ids stay known. S1.3 */
  inherits: (lastLife as z.ZodType<Snapshot>).exactOptional(),
});

/** The input that starts an entity's workflow. */
export interface Creation extends Omit<Described<typeof creation>, 'inherits'> {
  readonly inherits?: Snapshot;
}
