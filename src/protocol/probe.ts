import type { LivingRef } from './messages.js';

/** From an action that waits, along all that it waits for: does that wait for the action itself? S3.8 */
export interface Probe {
  readonly kind: 'probe';
  /** The entity whose action waits. */
  readonly initiator: LivingRef;
  readonly wait: string;
  /** Grows each time that a probe is sent for the wait: within one round, none goes the same way twice. */
  readonly round: number;
  /** What is waited for, one through the other; the last is on the entity that receives this. */
  readonly path: readonly WaitedFor[];
}

/** Something that has to end on an entity before whoever waits for it can go on. */
export interface WaitedFor {
  /** `LogicalServer/orders` */
  readonly on: string;
  /** The entity has to settle after an event, to grant a reservation, to release one that it holds, or to answer a seal. */
  readonly kind: 'event' | 'reservation' | 'release' | 'seal';
  /** Of the event, the reservation or the seal. */
  readonly id: string;
}
