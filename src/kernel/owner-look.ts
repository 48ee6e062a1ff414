/*
 * A sealed entity that hears nothing of its owner. The owner is durable, so it is waited for without limit, but one that an
 * operator has ended must be found. S3.6, S4.4
 *
 * Z5. An owner that lives says that a seal is over of which it knows nothing; of one that stands, it says nothing.
 * Z6. An owner that is absent twice in a row is gone, and the reservation with it.
 */
import type { AnyEntity } from '../definition/entity.js';
import type { OwnerLook } from '../protocol/reservation.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { releaseOf } from './holding.js';
import type { LookDistance } from './look.js';
import { endReservation } from './reservation.js';
import { isSealed } from './reserved.js';
import type { Effect, Step } from './step.js';

/** When to ask the owner whether the events still come, in milliseconds since 1970; never (Infinity) where none are waited for. */
export function nextOwnerLookAt(snapshot: Snapshot, { firstMs, longestMs }: LookDistance): number {
  const { since, looks } = snapshot.reservation?.seal ?? {};
  if (since === undefined || looks === undefined || !isSealed(snapshot)) return Infinity;
  return since + Math.min(firstMs * 2 ** looks, longestMs);
}

export function lookAfterOwner(snapshot: Snapshot, now: number): Step {
  const { type, key } = snapshot;
  const reservation = snapshot.reservation!;
  const { owner, seal } = reservation;
  const round = seal!.looks + 1;
  const message: OwnerLook = {
    ...{ kind: 'owner-look', from: { type, key }, reservation: reservation.wait, wait: seal!.wait, round },
  };
  return {
    snapshot: { ...snapshot, reservation: { ...reservation, seal: { ...seal!, since: now, looks: round } } },
    effects: [{ kind: 'send', to: { type: owner.type, key: owner.key }, message }],
  };
}

/** What the owner says to it. Another life of its key knows nothing of the seal either. Z5 */
export function answerOwnerLook(
  { running, holds }: Snapshot,
  { from, reservation, wait }: OwnerLook,
): readonly Effect[] {
  if (running?.seals?.some((seal) => seal.wait === wait)) return [];
  const held = [...holds, ...(running?.holds ?? [])].some((each) => each.wait === reservation);
  return [
    held ? { kind: 'send', to: from, message: { kind: 'unseal', reservation, wait } } : releaseOf(from, reservation),
  ];
}

/** The owner was not there. Z6 */
export function missOwner(entity: AnyEntity, snapshot: Snapshot, { wait, round }: OwnerLook, now: number): Step {
  const { reservation } = snapshot;
  if (!isSealed(snapshot) || reservation?.seal?.wait !== wait) return { snapshot, effects: [] };
  if (reservation.seal.missed === round - 1) return endReservation(entity, snapshot, now);
  const seal = { ...reservation.seal, since: now, missed: round };
  return { snapshot: { ...snapshot, reservation: { ...reservation, seal } }, effects: [] };
}
