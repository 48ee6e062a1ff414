/*
 * Decides what an entity does next.
 *
 * next.1. One thing at a time: an action runs to its end before the next event or automatic action. S2.4
 * next.2. Between attempts of an automatic action, and during its wait, a waiting event goes first, then what time raises. S2.4
 * next.3. Where another entity waits to reserve this one, what was due before it asked goes first, then the reservation, then
 *     the events that came later. So none of them keeps the others out for ever. S3.6
 * next.4. In a run that has become long nothing begins any more, so that it ends and the next run goes on.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { abandon, abandoning } from './abandon.js';
import { admitWaiting } from './admit.js';
import { letGo } from './hear-deployment.js';
import { endAwaited } from '../rules/deploying.js';
import { lookAfterOwner, nextOwnerLookAt } from '../reservations/owner-look.js';
import { LOOK_DISTANCE, type LookDistance } from '../rules/look-distance.js';
import { dueBeforeReserver, isOwnStep, ownSteps, takeOwnStep, type OwnStep } from './own-step.js';
import { resume } from '../actions/postpone.js';
import { reservationDue, turnReservation } from '../reservations/reservation.js';
import { isHeldBack, isSealed, nextWaiting } from '../rules/reserved.js';
import { answerSeal, sealDue } from '../reservations/seal.js';
import { isGone, type Step } from '../rules/step.js';

export type NextStep =
  /** Run the action that has been started. */
  | { readonly kind: 'action' }
  /** Run the action that was postponed. */
  | { readonly kind: 'resume' }
  /** End the action that was postponed, for an event that aborts. */
  | { readonly kind: 'abandon' }
  /** End a reservation, or grant one. */
  | { readonly kind: 'reservation' }
  /** Answer the owner of the reservation, which is about to raise events. */
  | { readonly kind: 'seal' }
  /** Ask the owner whether it still needs this entity. */
  | { readonly kind: 'owner-look' }
  /** Admit the event that has waited longest. */
  | { readonly kind: 'event' }
  /** Wait no more for the end of what an earlier state has deployed. */
  | { readonly kind: 'let-go' }
  /** Do what the entity has to do itself at this time. */
  | { readonly kind: OwnStep['kind'] }
  /** Do nothing before the given time (milliseconds since 1970), or before something comes. */
  | { readonly kind: 'rest'; readonly until?: number }
  /** The entity is deleted: its workflow ends. */
  | { readonly kind: 'closed' };

/** There is nothing to do but wait. */
export type Pause = Extract<NextStep, { kind: 'rest' | 'closed' }>;

/** The steps that take no time. */
type MomentaryStep = Exclude<NextStep['kind'], 'action' | 'rest' | 'closed'>;

export function nextStep(
  entity: AnyEntity,
  snapshot: Snapshot,
  now: number,
  distance: LookDistance = LOOK_DISTANCE,
): NextStep {
  if (snapshot.running) return { kind: 'action' };
  if (snapshot.rollingOver) return { kind: 'rest' };
  if (reservationDue(entity, snapshot, now)) {
    return { kind: dueBeforeReserver(entity, snapshot, distance) ?? 'reservation' };
  }
  if (nextWaiting(snapshot)) return { kind: 'event' };
  if (sealDue(entity, snapshot)) return { kind: 'seal' };
  const lookAt = nextOwnerLookAt(snapshot, distance);
  if (lookAt <= now) return { kind: 'owner-look' };
  const leaseEnd = isSealed(snapshot) ? Infinity : (snapshot.reservation?.until ?? Infinity);
  const turn = Math.min(lookAt, leaseEnd);
  const { postponed } = snapshot;
  if (postponed && !snapshot.reservation) {
    if (abandoning(entity, snapshot)) return { kind: 'abandon' };
    return postponed.at <= now ? { kind: 'resume' } : { kind: 'rest', until: postponed.at };
  }
  const ending = endAwaited(snapshot);
  if (ending) return ending.until! <= now ? { kind: 'let-go' } : restUntil(Math.min(turn, ending.until!));
  if (isHeldBack(snapshot) || postponed?.entry === snapshot.entry) return restUntil(turn);
  if (isGone(entity, snapshot)) return { kind: 'closed' };
  const own = ownSteps(entity, snapshot, distance);
  const due = own.find(({ at }) => at <= now);
  return due ? { kind: due.kind } : restUntil(Math.min(turn, ...own.map(({ at }) => at)));
}

function restUntil(until: number): NextStep {
  return Number.isFinite(until) ? { kind: 'rest', until } : { kind: 'rest' };
}

type Take = (entity: AnyEntity, snapshot: Snapshot, now: number) => Step;

const STEPS = {
  resume,
  abandon,
  reservation: turnReservation,
  seal: answerSeal,
  'owner-look': (_, snapshot, now) => lookAfterOwner(snapshot, now),
  'let-go': (entity, snapshot, now) => letGo(entity, snapshot, now),
  event: admitWaiting,
} as const satisfies Record<Exclude<MomentaryStep, OwnStep['kind']>, Take>;

/** Takes the next step, one that takes no time. */
export function takeStep(entity: AnyEntity, snapshot: Snapshot, kind: MomentaryStep, now: number): Step {
  return isOwnStep(kind) ? takeOwnStep(entity, snapshot, kind, now) : STEPS[kind](entity, snapshot, now);
}
