/*
 * The events that an action raises on entities that it has reserved are admitted everywhere or nowhere. Before the action is
 * committed, its entity asks each of them whether it will admit the events, and so seals it. S3.6
 *
 * sealing.1. Either all say yes and the action is committed, or the action fails before it has had any effect.
 * sealing.2. Entities that were sealed for an action that came to nothing are told so. They are released, or keep their lease
 *     where they are reserved for the operation.
 */
import { ReservationEnded } from '../../definition/action-errors.js';
import type { Rejection } from '../../protocol/rejection.js';
import { Rejected } from '../../protocol/errors.js';
import { entityId, type EntityRef } from '../../protocol/names.js';
import type { HeldReservation } from '../../protocol/kept-reservation.js';
import type { Seal } from '../../protocol/reservation.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { heldOn } from '../reservations/holding.js';
import { requestOf, type RaiseIntent } from './raise.js';
import type { Effect, Step } from '../rules/step.js';

/** How long an answer to a seal may be on its way when the lease has ended, in milliseconds. */
const ON_ITS_WAY_MS = 10_000;

/** All that an action is about to raise on one entity that it has reserved. */
export interface Sealing {
  readonly held: HeldReservation;
  /** The events in their order; at least one. */
  readonly raises: readonly RaiseIntent[];
}

/** The entities that have to be sealed before an action that raises these events is committed; mostly none. */
export function sealings(snapshot: Snapshot, raises: readonly RaiseIntent[]): readonly Sealing[] {
  if (raises.length === 0 || (snapshot.holds.length === 0 && !snapshot.running?.holds)) return [];
  const byReservation = new Map<string, { held: HeldReservation; raises: RaiseIntent[] }>();
  for (const raise of raises) {
    const held = heldOn(snapshot, raise.to);
    if (!held) continue;
    const known = byReservation.get(held.wait);
    if (known) known.raises.push(raise);
    else byReservation.set(held.wait, { held, raises: [raise] });
  }
  return [...byReservation.values()];
}

/** Asks one entity to be sealed. */
export function askForSeal(snapshot: Snapshot, { held, raises }: Sealing, wait: string): Step {
  const { type, key, life, version } = snapshot;
  const running = snapshot.running!;
  const [first, ...others] = raises;
  const { on, wait: reservation } = held;
  const message: Seal = {
    ...{ kind: 'seal', wait, from: { type, key, life }, reservation, version },
    first: requestOf(snapshot, first!),
    others: others.map(({ request }) => request.id),
  };
  const seals = [...(running.seals ?? []), { wait, reservation }];
  return {
    snapshot: { ...snapshot, running: { ...running, seals } },
    effects: [{ kind: 'send', to: { type: on.type, key: on.key }, message }],
  };
}

/** Notes that the promise was given. */
export function noteSealed(snapshot: Snapshot, { held }: Sealing): Snapshot {
  const { running } = snapshot;
  const seals = running?.seals?.map((seal) =>
    seal.reservation === held.wait ? { ...seal, sealed: true as const } : seal,
  );
  return running && seals ? { ...snapshot, running: { ...running, seals } } : snapshot;
}

/** Tells whether the promise was given before, in an earlier run of the entity. */
export function hasSealed(snapshot: Snapshot, { held }: Sealing): boolean {
  return snapshot.running?.seals?.some(({ reservation, sealed }) => sealed && reservation === held.wait) ?? false;
}

/**
 * For how long the action waits for the answer. It is longer than the lease, since the reserved entity measures the lease by
 * its own clock.
 */
export function sealedWithin({ held }: Sealing, now: number): number {
  return Math.max(held.until - now, 0) + ON_ITS_WAY_MS;
}

/** Why an action fails, since an entity that it has reserved was not sealed. sealing.1 */
export function notSealed(on: EntityRef, rejection: Rejection | undefined): Rejected | ReservationEnded {
  if (rejection && rejection.code !== 'reservation_ended') return new Rejected(rejection);
  const message = `${entityId(on)} did not answer before its reservation ended, so nothing was raised. Reserve it again, with a longer lease.`;
  return new ReservationEnded(rejection?.message ?? message);
}

/** Ends the seals of an action that has ended and raised nothing there, where the reservation goes on. sealing.2 */
export function unsealed(before: Snapshot, { snapshot, effects }: Step): readonly Effect[] {
  const seals = before.running?.seals;
  if (!seals) return [];
  const raisedOn = new Set(effects.flatMap(raiseTarget));
  return seals.flatMap(({ wait, reservation }): readonly Effect[] => {
    const kept = snapshot.holds.find((held) => held.wait === reservation);
    if (!kept || raisedOn.has(entityId(kept.on))) return [];
    const { type, key } = kept.on;
    return [{ kind: 'send', to: { type, key }, message: { kind: 'unseal', reservation, wait } }];
  });
}

function raiseTarget(effect: Effect): readonly string[] {
  if (effect.kind === 'create') return [entityId(effect.to)];
  return effect.kind === 'send' && effect.message.kind === 'raise' ? [entityId(effect.to)] : [];
}
