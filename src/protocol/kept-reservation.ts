import type { EntityRef } from './names.js';
import type { LivingRef } from './refs.js';
import type { Fence, RaiseRequest } from './request.js';
import type { Hold, Reserve } from './reservation.js';

/*
 * Reservations, as the reserved entities and the owners keep them. S3.6
 */

/** An entity that waits for a reservation. They are kept in the order of their requests. */
export interface Reserver extends Omit<Reserve, 'kind' | 'renews' | 'tenant'> {
  /** When its request came, in milliseconds since 1970. What the reserved entity had to do itself before that goes first. */
  readonly askedAt: number;
  /** The last event that waited when its request came. That event goes first. */
  readonly behind?: string;
}

/** A reservation as the reserved entity keeps it. S3.6 */
export interface Reservation {
  readonly wait: string;
  readonly owner: LivingRef;
  readonly operation: string;
  /** Grows with each reservation of the entity. A message with an older one comes too late. */
  readonly fence: number;
  /** The end of its lease, in milliseconds since 1970. */
  readonly until: number;
  readonly hold: Hold;
  /** Tells whether the owner has raised an event on the entity, so that what the event has set off goes on. */
  readonly used: boolean;
  /** Since when nothing has been heard of the owner, in milliseconds since 1970. */
  readonly since: number;
  /** How often the owner was asked whether it still needs the entity. */
  readonly looks: number;
  /** The last of these looks that found nobody. */
  readonly missed?: number;
  /** The last seal that the owner has asked for. */
  readonly seal?: KeptSeal;
}

/** A seal as the reserved entity keeps it. S3.6 */
export interface KeptSeal {
  readonly wait: string;
  readonly version: number;
  /** The first event, as long as the seal has not been answered. */
  readonly first?: RaiseRequest;
  /** The events that have yet to be decided. With none left, the seal is over. */
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
  /** The other entity promises to admit the events. */
  readonly sealed?: true;
}
