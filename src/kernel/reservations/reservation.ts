/*
 * How an entity is reserved by the action of another one. S3.6
 *
 * reservation.1. It is granted while no action runs, to one owner at a time, in the order of asking. Events that came before
 *     it, and what the entity itself had to do before it (next.ts), go first. What comes at the same time or later waits.
 * reservation.2. While it lasts, only the events of the owner and what they set off happen here. Everything else waits,
 *     visibly.
 * reservation.3. It ends by a release, with its lease, when the entity is deleted, or when its owner is lost; the owner cannot
 *     use it any more. When sealed, it outlasts its lease (seal.ts).
 * reservation.4. The entity stays readable.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { LivingRef } from '../../protocol/refs.js';
import type { Reservation, Reserver } from '../../protocol/kept-reservation.js';
import type { Lease, Release, Reserve } from '../../protocol/reservation.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { isAnothers } from '../rules/permission.js';
import { answerTo, viewOf } from '../rules/reading.js';
import { isLeaseOver, isSame, isSealed } from '../rules/reserved.js';
import { refuseSeal } from './seal.js';
import { andThen, isGone, type Step } from '../rules/step.js';
import { react } from '../triggers/subscription.js';

/** Takes in the request of an action to reserve this entity. */
export function reserve(
  entity: AnyEntity,
  snapshot: Snapshot,
  { kind: _, tenant, ...asked }: Reserve,
  now: number,
): Step {
  if (isAnothers(snapshot, { ...(tenant !== undefined && { tenant }) })) {
    return { snapshot, effects: [answerTo(snapshot, asked)] };
  }
  const { reservation, reservers, waiting } = snapshot;
  const known = reservation?.wait === asked.wait || reservers.some(({ wait }) => wait === asked.wait);
  if (known) return { snapshot, effects: [] };
  const { renews, ...reserver } = asked;
  if (reservation && renews === reservation.fence && isSame(reservation.owner, asked.from) && reservation.until > now) {
    return grant(entity, snapshot, reserver, now);
  }
  const behind = waiting.at(-1)?.id;
  const last: Reserver = { ...reserver, askedAt: now, ...(behind !== undefined && { behind }) };
  return { snapshot: { ...snapshot, reservers: [...reservers, last] }, effects: [] };
}

/** Ends a reservation that the owner, or its operation, no longer needs. */
export function release(
  entity: AnyEntity,
  snapshot: Snapshot,
  { wait, operation }: Pick<Release, 'wait' | 'operation'>,
  now: number,
): Step {
  const { reservation } = snapshot;
  if (reservation?.wait === wait) {
    if (operation === undefined || !isSealed(snapshot)) return endReservation(entity, snapshot, now);
    return { snapshot: { ...snapshot, reservation: { ...reservation, until: now } }, effects: [] };
  }
  const reservers = snapshot.reservers.filter((each) => each.wait !== wait);
  return {
    snapshot: reservers.length < snapshot.reservers.length ? { ...snapshot, reservers } : snapshot,
    effects: [],
  };
}

/**
 * Starts the lease when the owner has got all that it reserves together: until now it has outlasted the wait for the others.
 */
export function beginLease(
  snapshot: Snapshot,
  { wait, leaseMs }: Pick<Lease, 'wait' | 'leaseMs'>,
  now: number,
): Snapshot {
  const { reservation } = snapshot;
  if (reservation?.wait !== wait) return snapshot;
  return { ...snapshot, reservation: { ...reservation, until: Math.min(reservation.until, now + leaseMs) } };
}

/** Ends the reservation and drops the requests of another entity that has ended. reservation.3 */
export function releaseOwned(entity: AnyEntity, snapshot: Snapshot, owner: LivingRef, now: number): Step {
  const reservers = snapshot.reservers.filter(({ from }) => !isSame(from, owner));
  const rest = reservers.length < snapshot.reservers.length ? { ...snapshot, reservers } : snapshot;
  const { reservation } = snapshot;
  return reservation && isSame(reservation.owner, owner)
    ? endReservation(entity, rest, now)
    : { snapshot: rest, effects: [] };
}

/** Tells whether a reservation has to end, or is to be granted before any event. */
export function reservationDue(entity: AnyEntity, snapshot: Snapshot, now: number): boolean {
  const { reservation, reservers, waiting, postponed } = snapshot;
  const [first] = reservers;
  if (isGone(entity, snapshot)) return reservation !== undefined || first !== undefined;
  if (reservation) return isLeaseOver(snapshot, now);
  // Only reservations go before an action that is to run again.
  return first !== undefined && (postponed !== undefined || !waiting.some(({ id }) => id === first.behind));
}

/** Ends the reservation whose time is over, and grants the next one. */
export function turnReservation(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  if (isGone(entity, snapshot)) {
    const effects = snapshot.reservers.map((reserver) => answerTo(snapshot, reserver));
    return andThen({ snapshot: { ...snapshot, reservers: [] }, effects }, (after) =>
      endReservation(entity, after, now),
    );
  }
  if (snapshot.reservation) return endReservation(entity, snapshot, now);
  const [first, ...reservers] = snapshot.reservers;
  const rest = { ...snapshot, reservers };
  // An action that has stopped waiting has said so, or its entity was lost.
  return first && first.until > now ? grant(entity, rest, first, now) : { snapshot: rest, effects: [] };
}

function grant(entity: AnyEntity, snapshot: Snapshot, reserver: Omit<Reserver, 'askedAt'>, now: number): Step {
  const { wait, from, operation, leaseMs, hold } = reserver;
  const fence = snapshot.fence + 1;
  const until = now + leaseMs;
  const used = snapshot.reservation?.used ?? false;
  const reservation: Reservation = { wait, owner: from, operation, fence, until, hold, used, since: now, looks: 0 };
  const view = viewOf(entity, snapshot);
  const granted = { fence, until, life: snapshot.life };
  return {
    snapshot: { ...snapshot, fence, reservation },
    effects: [answerTo(snapshot, reserver, { ...(view && { view }), granted })],
  };
}

export function endReservation(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const { reservation: _, ...rest } = snapshot;
  return andThen({ snapshot: rest, effects: refuseSeal(snapshot) }, (after) => react(entity, after, now));
}
