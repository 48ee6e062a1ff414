import type { LivingRef, RaiseRequest, Rejection } from './messages.js';
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

/** All that was to be reserved together is: the lease of this one runs from now on. */
export interface Lease {
  readonly kind: 'lease';
  readonly wait: string;
  /** In milliseconds. */
  readonly leaseMs: number;
}

/** A reservation is over, or nobody waits for it any more. */
export interface Release {
  readonly kind: 'release';
  readonly wait: string;
  /** It comes from the operation, for which it lasted: what is sealed waits for its owner's word all the same. */
  readonly operation?: string;
}

/** From the owner of a reservation, before its action is committed: would you admit what I am about to raise on you? S3.6 */
export interface Seal {
  readonly kind: 'seal';
  /** Names the seal, and the wait for the answer. */
  readonly wait: string;
  readonly from: LivingRef;
  /** Names the reservation. */
  readonly reservation: string;
  /** Of the owner: a seal that is not newer than the last one comes too late. */
  readonly version: number;
  /** The first event, as it is going to be raised. */
  readonly first: RaiseRequest;
  /** The request ids of those that come after it. */
  readonly others: readonly string[];
}

/** The answer to a seal: from now on the reservation waits for its owner's word, or why it does not. */
export interface Sealed {
  readonly kind: 'sealed';
  readonly from: EntityRef;
  /** The life of the entity that it is meant for. */
  readonly toLife: string;
  readonly wait: string;
  readonly rejection?: Rejection;
}

/** From the owner: the events do not come after all, and the reservation goes on with its lease. */
export interface Unseal {
  readonly kind: 'unseal';
  readonly reservation: string;
  readonly wait: string;
}

/** From a reserved entity that has heard nothing for some time to the owner: do you still need it? */
export interface OwnerLook {
  readonly kind: 'owner-look';
  readonly from: EntityRef;
  readonly reservation: string;
  readonly hold: Hold;
  /** Names the seal, where the entity is sealed: do the events still come? */
  readonly wait?: string;
  /** Grows with each of them. */
  readonly round: number;
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

/** What shows that an event comes from the owner of a reservation. */
export interface Fence {
  /** The life of the reserved entity. */
  readonly life: string;
  readonly fence: number;
}
