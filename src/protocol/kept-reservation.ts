import type { EntityRef } from './names.js';
import type { LivingRef } from './refs.js';
import type { Fence, RaiseRequest } from './request.js';
import type { Hold, Reserve } from './reservation.js';

/*
 * Reservations as those keep them who are reserved, and who own them. S3.6
 */

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
  /** Since when nothing has been heard of the owner, in milliseconds since 1970. */
  readonly since: number;
  /** How often the owner was asked whether it still needs the entity. */
  readonly looks: number;
  /** Which of these found nobody. */
  readonly missed?: number;
  /** The last one that the owner has asked for. */
  readonly seal?: KeptSeal;
}

/** A seal as the reserved entity keeps it. S3.6 */
export interface KeptSeal {
  readonly wait: string;
  readonly version: number;
  /** The first event, as long as the seal has not been answered. */
  readonly first?: RaiseRequest;
  /** The events that have yet to be decided; none: the seal is over. */
  readonly events: readonly string[];
}

/** A reservation as its owner keeps it. */
export interface HeldReservation {
  readonly wait: string;
  readonly on: EntityRef & Fence;
  readonly operation: string;
  readonly until: number;
  readonly hold: Hold;
}

/** A seal that an action has asked for. */
export interface AskedSeal {
  readonly wait: string;
  /** Names the reservation. */
  readonly reservation: string;
}
