/*
 * A reserved entity that hears nothing of its owner looks after it. The owner is durable, but an operator may have ended it.
 * That must be found before a long lease is over, and a seal outlasts even its lease. S3.6, S4.4
 *
 * owner-look.1. An owner that lives ends what it no longer needs: the reservation, or the seal alone. It says nothing where it
 *     still needs both. The operation releases what is reserved for an operation.
 * owner-look.2. An owner that is absent twice in a row is gone, and the reservation with it.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { OwnerLook } from '../../protocol/reservation.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { releaseOf } from './holding.js';
import { endReservation } from './reservation.js';
import { lookAgainAt, type LookDistance } from '../rules/look-distance.js';
import { isSealed } from '../rules/reserved.js';
import type { Effect, Step } from '../rules/step.js';

/** When to ask the owner whether it still needs the entity, in milliseconds since 1970; never (Infinity) without one. */
export function nextOwnerLookAt({ reservation }: Snapshot, distance: LookDistance): number {
  return reservation ? lookAgainAt(reservation.since, reservation.looks, distance) : Infinity;
}

export function lookAfterOwner(snapshot: Snapshot, now: number): Step {
  const { type, key } = snapshot;
  const reservation = snapshot.reservation!;
  const { owner, wait, hold } = reservation;
  const seal = sealOf(snapshot);
  const round = reservation.looks + 1;
  const message: OwnerLook = {
    ...{ kind: 'owner-look', from: { type, key }, reservation: wait, hold, round },
    ...(seal !== undefined && { wait: seal }),
  };
  return {
    snapshot: { ...snapshot, reservation: { ...reservation, since: now, looks: round } },
    effects: [{ kind: 'send', to: { type: owner.type, key: owner.key }, message }],
  };
}

/** The answer of the owner. Another life of the owner's key knows nothing of the reservation, and releases it. owner-look.1 */
export function answerOwnerLook(
  { running, holds }: Snapshot,
  { from, reservation, hold, wait }: OwnerLook,
): readonly Effect[] {
  const held = [...holds, ...(running?.holds ?? [])].some((each) => each.wait === reservation);
  if (wait !== undefined) {
    if (running?.seals?.some((seal) => seal.wait === wait)) return [];
    if (held) return [{ kind: 'send', to: from, message: { kind: 'unseal', reservation, wait } }];
  } else if (held || hold === 'operation' || running?.awaits?.some((each) => each.wait === reservation)) {
    return [];
  }
  return [releaseOf(from, reservation)];
}

/** Notes that the owner was absent. owner-look.2 */
export function missOwner(entity: AnyEntity, snapshot: Snapshot, look: OwnerLook, now: number): Step {
  const { reservation } = snapshot;
  const { round } = look;
  if (reservation?.wait !== look.reservation || sealOf(snapshot) !== look.wait) return { snapshot, effects: [] };
  if (reservation.missed === round - 1) return endReservation(entity, snapshot, now);
  return { snapshot: { ...snapshot, reservation: { ...reservation, since: now, missed: round } }, effects: [] };
}

/** The seal whose events have yet to come. */
function sealOf(snapshot: Snapshot): string | undefined {
  return isSealed(snapshot) ? snapshot.reservation?.seal?.wait : undefined;
}
