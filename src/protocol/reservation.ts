import type { LivingRef } from './messages.js';
import type { EntityRef } from './names.js';

/** How long a reservation lasts, if its lease does not end before: as long as the action, or the operation. S3.6 */
export type Hold = 'action' | 'operation';

/** From an action to another entity: keep what you are to me alone. S3.6 */
export interface Reserve {
  readonly kind: 'reserve';
  /** Names the reservation, and the wait for it. */
  readonly wait: string;
  readonly from: LivingRef;
  readonly operation: string;
  /** How long it lasts at most once it is granted, in milliseconds. */
  readonly leaseMs: number;
  readonly hold: Hold;
  /** When the action stops waiting for it, in milliseconds since 1970. */
  readonly until: number;
  /** The fence of the reservation that it takes the place of: a new lease for the same owner. */
  readonly renews?: number;
  /** Of the asking entity. S6.5 */
  readonly tenant?: string;
}

/** A reservation is over, or nobody waits for it any more. */
export interface Release {
  readonly kind: 'release';
  readonly wait: string;
}

/** Who waits for a reservation, in the order of coming. */
export interface Reserver extends Omit<Reserve, 'kind' | 'renews' | 'tenant'> {
  /** When it came, in milliseconds since 1970: what the reserved entity had to do itself before goes first. */
  readonly askedAt: number;
  /** The event that waited last when it came: that one goes first. */
  readonly behind?: string;
}

/** A reservation as the reserved entity keeps it. S3.6 */
export interface Reservation {
  readonly wait: string;
  readonly owner: LivingRef;
  readonly operation: string;
  /** Grows with each reservation of the entity: what comes with an older one comes too late. */
  readonly fence: number;
  /** The end of its lease, in milliseconds since 1970. */
  readonly until: number;
  readonly hold: Hold;
  /** The owner has raised an event on the entity: what this has set off goes on. */
  readonly used: boolean;
}

/** A reservation as its owner keeps it. */
export interface HeldReservation {
  readonly wait: string;
  readonly on: EntityRef & Fence;
  readonly operation: string;
  readonly until: number;
  readonly hold: Hold;
}

/** What shows that an event comes from the owner of a reservation. */
export interface Fence {
  /** The life of the reserved entity. */
  readonly life: string;
  readonly fence: number;
}
