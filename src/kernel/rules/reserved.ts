/*
 * The meaning of a reservation, or of the end of a deployment, for the events of an entity, and for what it does by itself. S3.6, W1
 */
import type { LivingRef } from '../../protocol/refs.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, sameEntity } from '../../protocol/names.js';
import type { Reservation } from '../../protocol/kept-reservation.js';
import type { RunningAction, Snapshot } from '../../protocol/snapshot.js';
import { endAwaited, endOf } from './deploying.js';

/** Tells whether an event need not wait for the end of a reservation. */
export function passes({ reservation }: Snapshot, { from }: Pick<RaiseRequest, 'from'>): boolean {
  return reservation === undefined || (from !== undefined && isSame(reservation.owner, from));
}

/** The event with which the entity goes on: of those that need not wait for a reservation, the one that has waited longest. */
export function nextWaiting(snapshot: Snapshot): RaiseRequest | undefined {
  if ((snapshot.postponed && !snapshot.reservation) || endAwaited(snapshot)) return undefined;
  return snapshot.waiting.find((request) => passes(snapshot, request) && !isEarly(snapshot, request));
}

/** Tells whether an event has come to an address that is not open yet. */
export function isEarly(
  { addresses = [] }: Snapshot,
  { id, addressedAt }: Partial<Pick<RaiseRequest, 'id' | 'addressedAt'>>,
): boolean {
  return addressedAt !== undefined && addresses.some((each) => each.id === id && !each.open);
}

/** The waiting events with another one. The owner's come before those of others, even if the reservation ends first. */
export function enqueue(snapshot: Snapshot, request: RaiseRequest): readonly RaiseRequest[] {
  const { reservation, waiting } = snapshot;
  const first = waiting.findIndex((each) => !passes(snapshot, each));
  if (!reservation || first < 0 || !passes(snapshot, request)) return [...waiting, request];
  return [...waiting.slice(0, first), request, ...waiting.slice(first)];
}

/**
 * Tells whether the entity has promised the owner of the reservation to admit its events, and waits for the first or for the owner's
 * word.
 */
export function isSealed({ reservation }: Snapshot): boolean {
  const seal = reservation?.seal;
  return seal !== undefined && seal.first === undefined && seal.events.length > 0;
}

/**
 * Tells whether the entity does nothing by itself: because what an earlier state has deployed has yet to end, an action is to run
 * again, the owner of the reservation has not set off anything yet, or the sealed events have yet to come.
 */
export function isHeldBack(snapshot: Snapshot): boolean {
  const { reservation, postponed } = snapshot;
  if (endAwaited(snapshot)) return true;
  return reservation ? !reservation.used || isSealed(snapshot) : postponed !== undefined;
}

/** Tells whether the reservation ends before the entity does anything else. */
export function isLeaseOver(snapshot: Snapshot, now: number): boolean {
  const { reservation } = snapshot;
  return reservation !== undefined && reservation.until <= now && !isSealed(snapshot);
}

/** The words for what an event waits for where nothing but the events before it keeps it. */
export const ITS_TURN = 'its turn';

/** Tells what an event that comes now has to wait for, in words; nothing when it need not. */
export function waitsBehind(
  snapshot: Snapshot,
  request: Partial<Pick<RaiseRequest, 'id' | 'from' | 'addressedAt'>>,
): string | undefined {
  const { running } = snapshot;
  if (running) return running.aborted ? abortOf(running) : running.action;
  if (snapshot.rollingOver) return 'the next run';
  if (snapshot.yielding) return ITS_TURN;
  if (snapshot.postponed && !snapshot.reservation) return snapshot.postponed.running.action;
  if (!passes(snapshot, request)) return reservedBy(snapshot.reservation!);
  const ending = endAwaited(snapshot);
  if (ending) return endOf(ending);
  return isEarly(snapshot, request) ? 'the action that has made the address' : undefined;
}

/** Names what an event waits for that has its action aborted. */
export function abortOf({ action }: Pick<RunningAction, 'action'>): string {
  return `the abort of ${action}`;
}

/** A reservation, in words. */
export function reservedBy({ owner }: Reservation): string {
  return `the reservation by ${entityId(owner)}`;
}

/** Why an event that was raised under a reservation comes too late. reservation.3 */
export function reservationEnded(snapshot: Snapshot, request: RaiseRequest, now: number): Rejection | undefined {
  const { reservation, life } = snapshot;
  const { fence, id } = request;
  if (!fence) return undefined;
  const isOwners = reservation !== undefined && fence.life === life && fence.fence === reservation.fence;
  const promised = isSealed(snapshot) && reservation?.seal?.events.includes(id);
  return isOwners && (promised || reservation.until > now) ? undefined : endedReservation(snapshot, request);
}

/** Rejects an event that was raised under a reservation that has ended. */
export function endedReservation(snapshot: Snapshot, { event }: Pick<RaiseRequest, 'event'>): Rejection {
  const name = entityId(snapshot);
  const message = `'${event}' was raised on ${name} under a reservation that has ended. Reserve it again, with a longer lease.`;
  return { code: 'reservation_ended', message, entity: name, event, state: snapshot.state };
}

/** The owner has said something. */
export function heardOfOwner({ missed: _, ...reservation }: Reservation, now: number): Reservation {
  return { ...reservation, since: now, looks: 0 };
}

/** Notes that an event of the owner has been accepted, so that the entity goes on by itself. */
export function useReservation(snapshot: Snapshot, request: Pick<RaiseRequest, 'from'>): Snapshot {
  const { reservation } = snapshot;
  if (!reservation || reservation.used || !passes(snapshot, request)) return snapshot;
  return { ...snapshot, reservation: { ...reservation, used: true } };
}

export function isSame(one: LivingRef, other: LivingRef): boolean {
  return sameEntity(one, other) && one.life === other.life;
}
