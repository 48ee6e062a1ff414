import { z } from 'zod';
import type { Described } from './plain.js';
import { livingRef } from './refs.js';

const waitedFor = z.object({
  /** `LogicalServer/orders` */
  on: z.string(),
  /** The entity has to settle after an event, to grant a reservation, to release one that it holds, or to answer a seal. */
  kind: z.enum(['event', 'reservation', 'release', 'seal']),
  /** The id of the event, the reservation or the seal. */
  id: z.string(),
});

/** Something that has to end on an entity before those who wait for it can go on. */
export interface WaitedFor extends Described<typeof waitedFor> {}

export const probe = z.object({
  kind: z.literal('probe'),
  /** The entity whose action waits. */
  initiator: livingRef,
  wait: z.string(),
  /** Grows each time that a probe is sent for the wait: within one round, none goes the same way twice. */
  round: z.number().int(),
  /** The chain of waits. The last one is on the entity that receives this. */
  path: z.array(waitedFor).min(1),
});

/** A question of a waiting action that goes along all its waits: do they lead back to the action itself? S3.8 */
export interface Probe extends Described<typeof probe> {}
