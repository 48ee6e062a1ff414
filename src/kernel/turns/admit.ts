/*
 * How an event comes in.
 *
 * admit.1. Validation and the start of the action are one decision: nothing can change the state between them. S2.3
 * admit.2. An event waits when it comes while an action runs or another entity has reserved this one. It is validated in the
 *     state that it finds after that. It does not wait where it would be rejected in any case (certain-rejection.ts), is declared to
 *     be rejected while an action runs (busy.ts), or too many wait already (full-queue.ts). S2.3, S3.6
 * admit.3. The same request id again gives the first outcome and starts nothing; with other content it is an error. S2.5 Where
 *     only the store knows a request, it has been asked before the event comes here.
 * admit.4. A rejected event changes nothing. S2.2
 * admit.5. A caller who may not raise an event learns nothing from raising it, not even that it was raised before. S6.5
 */
import { abortsIn } from '../../definition/busy.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Answer } from '../../protocol/answer.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { ANSWER_EVENT, entityId } from '../../protocol/names.js';
import type { PastRequest } from '../../protocol/past-request.js';
import type { Ledger, Snapshot } from '../../protocol/snapshot.js';
import { tellAccepted } from '../successors/acceptance.js';
import { eventTooLarge } from '../rules/event-size.js';
import { begin } from '../engagements/begin.js';
import { admitAnswer } from '../callbacks/callback.js';
import { joined, opensLater } from '../callbacks/joining.js';
import { busyRejection } from '../rules/busy-rejection.js';
import { certainRejection } from '../rules/certain-rejection.js';
import { decideRaised, isClosed, isOutside } from '../rules/decide.js';
import { forget, isKnown, remember, rememberRejected } from '../ledger/ledger.js';
import { openOperation } from '../engagements/open.js';
import { refusePermission } from '../rules/permission.js';
import { tooManyWait } from '../rules/full-queue.js';
import { abortOf, enqueue, isEarly, nextWaiting, passes, reservationEnded, waitsBehind } from '../rules/reserved.js';
import { answerRepeated, repeatedAnswer } from '../engagements/repeat.js';
import { endRejected, outcomeOf, rejectedOutcome } from '../engagements/settle.js';
import { eventDecided } from '../reservations/seal.js';
import { immediateCall } from './immediate.js';
import { isAtRest, type Step } from '../rules/step.js';

/**
 * Takes in an event that has just arrived: gives its immediate answer, and what follows from it.
 * @param past all that the store knows of its request
 */
export function admit(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: RaiseRequest,
  now: number,
  past?: PastRequest,
): Step & { readonly answer: Answer } {
  const forbidden = refusePermission(entity, snapshot, request);
  if (forbidden) return refuse(forbidden);
  const tooLarge = eventTooLarge(snapshot, request);
  if (tooLarge) return refuse(tooLarge);
  const immediate = immediateCall(request.event);
  if (immediate) return immediate.admit(entity, snapshot, request, now);
  const operation = request.operation ?? request.id;
  const known = repeatedAnswer(snapshot, request, past);
  if (known) {
    const standing = isAtRest(entity, snapshot) ? outcomeOf(entity, snapshot) : undefined;
    return { snapshot, effects: answerRepeated(snapshot, request, standing, past), answer: known };
  }

  if (request.event === ANSWER_EVENT) return admitAnswer(entity, snapshot, request, now);
  const tooLate = reservationEnded(snapshot, request, now);
  if (tooLate) return refuse(tooLate);
  const behind = hasToWait(entity, snapshot, request);
  if (behind !== undefined) {
    const mayNotWait = refusalToWait(entity, snapshot, request);
    if (mayNotWait) return refuse(mayNotWait);
    const underWay = snapshot.running ?? snapshot.postponed?.running;
    const goesFirst = aborts(entity, snapshot, request);
    const waiting: Snapshot = {
      ...snapshot,
      waiting: goesFirst ? [request, ...snapshot.waiting] : enqueue(snapshot, request),
      ledger: remember(snapshot.ledger, request),
    };
    const opens = request.operation === undefined && !opensLater(entity, request);
    const opened = opens ? openOperation(entity, waiting, request, now) : { snapshot: waiting, effects: [] };
    return {
      snapshot: goesFirst ? abortRunning(opened.snapshot) : opened.snapshot,
      effects: opened.effects,
      answer: { status: 'waiting', operation, behind: goesFirst && underWay ? abortOf(underWay) : behind },
    };
  }

  const decision = decideRaised(entity, snapshot, request);
  if (!decision.accepted) return refuse(decision.rejection);
  const begins = joined(snapshot, request);
  const begun = begin(entity, snapshot, begins, { eventType: 'raised', ...decision }, now);
  const effects = [...begun.effects, ...tellAccepted(begun.snapshot, request)];
  return {
    snapshot: begun.snapshot,
    effects,
    answer: { status: 'accepted', operation: begins.operation ?? operation },
  };

  function refuse(rejection: Rejection): Step & { readonly answer: Answer } {
    const told = request.from ? endRejected(entity, snapshot, request, rejection, now) : [];
    const { ledger } = snapshot;
    const after = isKnown(ledger, request.id) ? snapshot : rejected(ledger, snapshot, request, rejection);
    return { snapshot: after, effects: told, answer: { status: 'rejected', rejection } };
  }
}

/** Tells what an event that comes now has to wait for, in words; nothing when it is decided at once. admit.2 */
export function hasToWait(entity: AnyEntity, snapshot: Snapshot, request: RaiseRequest): string | undefined {
  return isClosed(entity, snapshot, request) ? undefined : waitsBehind(snapshot, request);
}

/** Why an event that has to wait is rejected at once instead; nothing when it waits. admit.2 */
export function refusalToWait(entity: AnyEntity, snapshot: Snapshot, request: RaiseRequest): Rejection | undefined {
  const inVain = certainRejection(entity, snapshot, request);
  if (inVain) return inVain;
  const busy = busyRejection(entity, snapshot, request);
  if (busy) return busy;
  const full = tooManyWait(snapshot, request);
  return full && !aborts(entity, snapshot, request) ? full : undefined;
}

/** Takes in the request to cancel an operation: the declared event is raised, or the request is refused. S4.7 */
export function admitCancel(
  entity: AnyEntity,
  snapshot: Snapshot,
  { operation, engagement: id }: Extract<EntityMessage, { kind: 'cancel' }>,
  now: number,
  past?: PastRequest,
): Step {
  const event = entity.cancel;
  if (event === undefined) {
    const message = `${entity.name} declares no event that answers a request to cancel.`;
    const rejection: Rejection = { code: 'not_cancelable', message, entity: entityId(snapshot), event: 'cancel' };
    return { snapshot, effects: endRejected(entity, snapshot, { id, event: 'cancel', operation }, rejection, now) };
  }
  const request = { id, event, operation };
  const { answer, ...step } = admit(entity, snapshot, request, now, past);
  if (answer.status !== 'rejected') return step;
  return { ...step, effects: [...step.effects, ...endRejected(entity, snapshot, request, answer.rejection, now)] };
}

/** Validates the event that has waited longest and need wait no more, in the state that the action has left. */
export function admitWaiting(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const request = nextWaiting(snapshot)!;
  return eventDecided(entity, decideWaiting(entity, snapshot, request, now), request.id, now);
}

function decideWaiting(entity: AnyEntity, snapshot: Snapshot, request: RaiseRequest, now: number): Step {
  const rest: Snapshot = { ...snapshot, waiting: snapshot.waiting.filter((each) => each !== request) };
  // The declaration may have changed since the event came.
  const forbidden = refusePermission(entity, rest, request);
  const decision = forbidden
    ? ({ accepted: false, rejection: forbidden } as const)
    : decideRaised(entity, rest, request);
  if (decision.accepted) {
    const begins = joined(rest, request);
    const opened = !opensLater(entity, request) || begins.operation !== undefined;
    const begun = begin(entity, rest, begins, { eventType: 'raised', opened, ...decision }, now);
    return { snapshot: begun.snapshot, effects: [...begun.effects, ...tellAccepted(begun.snapshot, request)] };
  }
  // The event was remembered while it waited.
  const after = rejected(forget(rest.ledger, request.id), rest, request, decision.rejection);
  return { snapshot: after, effects: endRejected(entity, after, request, decision.rejection, now) };
}

/** The snapshot after a rejection. An event from outside leaves nothing behind. */
function rejected(ledger: Ledger, snapshot: Snapshot, request: RaiseRequest, rejection: Rejection): Snapshot {
  if (isOutside(request)) return ledger === snapshot.ledger ? snapshot : { ...snapshot, ledger };
  return { ...snapshot, ledger: rememberRejected(ledger, request, rejectedOutcome(snapshot, rejection)) };
}

/** Tells whether an event that would be valid now is declared not to wait for the running action. S3.2 */
export function aborts(entity: AnyEntity, snapshot: Snapshot, request: RaiseRequest): boolean {
  // One that has come to an address waits for the end of the action that has made it.
  const mayGoFirst = passes(snapshot, request) && !isEarly(snapshot, request);
  return (
    abortsIn(entity, request.event, snapshot.state) && mayGoFirst && decideRaised(entity, snapshot, request).accepted
  );
}

function abortRunning(snapshot: Snapshot): Snapshot {
  return snapshot.running ? { ...snapshot, running: { ...snapshot.running, aborted: true } } : snapshot;
}
