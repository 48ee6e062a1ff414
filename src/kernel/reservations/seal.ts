/*
 * How a reserved entity is sealed: it promises to admit what its owner is about to raise. S3.6
 *
 * seal.1. The entity decides the first event with the functions that admit events, and does nothing until all its sealed events
 *     have been decided. So the first event is admitted, and each other one is decided in the state that the one before it has
 *     left.
 * seal.2. While the entity is sealed, the reservation outlasts its lease. The seal ends with its last event, by the owner's
 *     word, or when the owner is gone.
 * seal.3. A seal is answered at once, or, where something goes on that the owner has set off, when the entity rests again.
 * seal.4. A seal that comes twice or too late changes nothing.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { KeptSeal } from '../../protocol/kept-reservation.js';
import type { Seal, Sealed, Unseal } from '../../protocol/reservation.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { decideRaised } from '../rules/decide.js';
import { refusePermission } from '../rules/permission.js';
import { repeatedAnswer } from '../engagements/repeat.js';
import { endedReservation, heardOfOwner, nextWaiting, reservationEnded } from '../rules/reserved.js';
import { isAtRest, type Effect, type Step } from '../rules/step.js';
import { react } from '../triggers/subscription.js';

/** Takes in the question of the owner whether its events would be admitted. */
export function seal(entity: AnyEntity, snapshot: Snapshot, asked: Seal, now: number): Step {
  const { reservation } = snapshot;
  if (reservation?.wait !== asked.reservation) {
    return { snapshot, effects: [answer(snapshot, asked, endedReservation(snapshot, asked.first))] };
  }
  const { wait, version, first, others } = asked;
  if (reservation.seal && reservation.seal.version >= version) return { snapshot, effects: [] };
  const kept: KeptSeal = { wait, version, first, events: [first.id, ...others] };
  const pending: Snapshot = { ...snapshot, reservation: heardOfOwner({ ...reservation, seal: kept }, now) };
  return sealDue(entity, pending) ? answerSeal(entity, pending, now) : { snapshot: pending, effects: [] };
}

/** Tells whether a seal that has been asked for can be answered now. seal.3 */
export function sealDue(entity: AnyEntity, snapshot: Snapshot): boolean {
  const { reservation, running } = snapshot;
  if (!reservation?.seal?.first || running || nextWaiting(snapshot)) return false;
  return !reservation.used || isAtRest(entity, snapshot);
}

/** Seals the entity, or tells why not. seal.1 */
export function answerSeal(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const reservation = snapshot.reservation!;
  const { first, ...kept } = reservation.seal!;
  const rejection = refusal(entity, snapshot, first!, now);
  const after: KeptSeal = { ...kept, ...(rejection && { events: [] }) };
  return {
    snapshot: { ...snapshot, reservation: heardOfOwner({ ...reservation, seal: after }, now) },
    effects: [answer(snapshot, { ...kept, first: first! }, rejection)],
  };
}

/** Refuses a seal because the reservation ends, so that an owner that still waits gets an answer. */
export function refuseSeal(snapshot: Snapshot): readonly Effect[] {
  const { first, wait } = snapshot.reservation?.seal ?? {};
  return first && wait !== undefined ? [answer(snapshot, { wait, first }, endedReservation(snapshot, first))] : [];
}

/** Ends a seal whose events do not come after all. */
export function unseal(entity: AnyEntity, snapshot: Snapshot, { reservation, wait }: Unseal, now: number): Step {
  const known = snapshot.reservation;
  if (known?.wait !== reservation || known.seal?.wait !== wait) return { snapshot, effects: [] };
  return withEvents(entity, snapshot, [], now);
}

/** Notes that an event has been decided. After the last one of a seal, the entity goes on by itself. seal.1 */
export function eventDecided(entity: AnyEntity, step: Step, request: string, now: number): Step {
  const { events } = step.snapshot.reservation?.seal ?? {};
  if (!events?.includes(request)) return step;
  const left = events.filter((id) => id !== request);
  const { snapshot, effects } = withEvents(entity, step.snapshot, left, now);
  return { snapshot, effects: [...step.effects, ...effects] };
}

function withEvents(entity: AnyEntity, snapshot: Snapshot, events: readonly string[], now: number): Step {
  const { reservation } = snapshot;
  const { first: _, ...kept } = reservation!.seal!;
  const after: Snapshot = { ...snapshot, reservation: { ...reservation!, seal: { ...kept, events } } };
  return events.length === 0 ? react(entity, after, now) : { snapshot: after, effects: [] };
}

/** Why the first event would not be admitted. It may have been before: the same request is admitted again. S2.5 */
function refusal(entity: AnyEntity, snapshot: Snapshot, request: RaiseRequest, now: number): Rejection | undefined {
  const forbidden = refusePermission(entity, snapshot, request) ?? reservationEnded(snapshot, request, now);
  if (forbidden) return forbidden;
  const known = repeatedAnswer(snapshot, request);
  const decision = known ?? decideRaised(entity, snapshot, request);
  return 'rejection' in decision ? decision.rejection : undefined;
}

function answer({ type, key }: Snapshot, asked: Pick<Seal, 'wait' | 'first'>, rejection?: Rejection): Effect {
  const from = asked.first.from!;
  const message: Sealed = {
    kind: 'sealed',
    from: { type, key },
    toLife: from.life,
    wait: asked.wait,
    ...(rejection && { rejection }),
  };
  return { kind: 'send', to: { type: from.type, key: from.key }, message };
}
