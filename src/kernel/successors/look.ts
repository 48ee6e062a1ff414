/*
 * How an entity finds successors for which it waits and which are lost. S4.4
 *
 * look.1. At rest, an entity looks after each successor for which it still waits, at growing distances. A message of any
 *     successor makes the distances short again.
 * look.2. A successor is lost when it is absent twice in a row, or when another life has its key and does not know the request.
 *     It counts as failed, its operation is told while that goes on, and nobody waits for it any longer.
 * look.3. A lost successor that reports after all is believed again, unless the keeper knows better (ended-successor.1).
 */
import { patternsIn } from '../../definition/checks/patterns.js';
import type { AnyEntity } from '../../definition/entity.js';
import { isSubscribedIn } from '../../definition/subscribed.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { Look, Stranger } from '../../protocol/successor-messages.js';
import { entityId, sameEntity, type EntityRef } from '../../protocol/names.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import { unchained } from '../rules/chain.js';
import { counted } from '../rules/due-subscription.js';
import { endInstead } from './end-instead.js';
import { interestIn } from './interest.js';
import { lookAgainAt, type LookDistance } from '../rules/look-distance.js';
import { matches } from '../rules/matching.js';
import { stateOf, type Effect, type Step } from '../rules/step.js';
import { react } from '../triggers/subscription.js';

/** When to look after successors, in milliseconds since 1970; never (Infinity) when none is waited for. */
export function nextLookAt(entity: AnyEntity, snapshot: Snapshot, distance: LookDistance): number {
  const { successors } = snapshot;
  if (successors.length === 0 || !successors.some(waitsFor(entity, snapshot))) return Infinity;
  const { since, count } = snapshot.look ?? { since: snapshot.enteredAt, count: 0 };
  return lookAgainAt(since, count, distance);
}

/** Looks after all successors that are waited for. look.1 */
export function lookAfterSuccessors(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const waited = snapshot.successors.filter(waitsFor(entity, snapshot));
  const effects = waited.map((successor) => lookAfter(entity, snapshot, successor));
  return { snapshot: { ...snapshot, look: { since: now, count: (snapshot.look?.count ?? 0) + 1 } }, effects };
}

/** Asks whether a successor still exists. */
export function lookAfter(entity: AnyEntity, { type, key, life }: Snapshot, successor: Successor): Effect {
  const message: Look = {
    kind: 'look',
    from: { type, key, life, ...interestIn(entity, successor) },
    request: successor.request,
    ...(successor.life !== undefined && { life: successor.life }),
    ...(successor.event === 'settled' && { version: successor.version }),
  };
  return { kind: 'send', to: { type: successor.type, key: successor.key }, message };
}

/** Notes that a look has found nobody. The first time, a report may still be on its way. */
export function missSuccessor(entity: AnyEntity, snapshot: Snapshot, to: EntityRef, look: Look, now: number): Step {
  const successor = find(entity, snapshot, to, look.request);
  if (!successor) return { snapshot, effects: [] };
  if (successor.missed) return lose(entity, snapshot, successor, now);
  const successors = snapshot.successors.map((each) => (each === successor ? { ...each, missed: true } : each));
  return { snapshot: { ...snapshot, successors, look: { since: now, count: 0 } }, effects: [] };
}

/** Notes that another life has the key of a successor, and does not know the request. */
export function receiveStranger(entity: AnyEntity, snapshot: Snapshot, stranger: Stranger, now: number): Step {
  const successor = find(entity, snapshot, stranger.from, stranger.request);
  if (stranger.toLife !== snapshot.life || !successor) return { snapshot, effects: [] };
  return lose(entity, snapshot, successor, now);
}

/** The successor that a look was for, if nothing was heard of it since. */
function find(entity: AnyEntity, snapshot: Snapshot, ref: EntityRef, request: string): Successor | undefined {
  const found = snapshot.successors.find((each) => each.request === request && sameEntity(each, ref));
  return found && waitsFor(entity, snapshot)(found) ? found : undefined;
}

/** Takes a successor for lost: it counts as failed from now on, and its operation is told while that goes on. look.2 */
export function lose(entity: AnyEntity, snapshot: Snapshot, successor: Successor, now: number): Step {
  const name = entityId(successor);
  const message = `${name} is lost: its workflow ended without a report, for example because an operator terminated it. Create it again, or undo its work.`;
  // A rejection tells of another version than the last report.
  const { state, version } = successor.outcome ?? { state: 'lost', version: successor.version };
  const outcome: EngagementOutcome = {
    state,
    version,
    health: 'error',
    waiting: false,
    lost: true,
    error: { kind: 'needs_operator', code: 'lost', message },
  };
  const { missed: _, ...rest } = successor;
  const lost: Successor = { ...rest, event: 'settled', outcome };
  const successors = snapshot.successors.map((each) => (each === successor ? lost : each));
  const after = { ...unchained(snapshot, now), successors, look: { since: now, count: 0 } };
  if (isOver(snapshot, successor)) return react(entity, after, now);
  const ended = {
    // An engagement that has ended before cannot tell the operation of the loss.
    engagement:
      successor.event === 'pending' || successor.event === 'accepted' ? successor.request : `${successor.request}/lost`,
    operation: successor.operation,
    participant: { type: successor.type, key: successor.key, life: successor.life ?? '' },
    event: 'lost',
    outcome,
  };
  return endInstead(entity, after, ended, now);
}

/** Tells whether the operation in which an event was raised on a successor no longer waits for it, as far as is known here. */
function isOver({ operation, awaiting }: Snapshot, successor: Successor): boolean {
  const { event, outcome, restsForOthers } = successor;
  const known = event === 'pending' || event === 'accepted' || (outcome?.waiting === true && !restsForOthers);
  const goesOn = operation?.open === true && operation.id === successor.operation;
  return !known && !goesOn && !awaiting.includes(successor.operation);
}

/**
 * Tells of a successor whether the entity still waits for it: one that has not answered, or that rests for its own successors. In a
 * waiting state, also one that is in no state for which a subscription asks.
 */
function waitsFor(entity: AnyEntity, snapshot: Snapshot): (successor: Successor) => boolean {
  const { waiting } = stateOf(entity, snapshot);
  const subscriptions = Object.values(entity.subscriptions)
    .filter((each) => waiting && isSubscribedIn(entity, each, snapshot.state))
    .map(({ when, among }) => ({ patterns: patternsIn(when), among: new Set(counted(snapshot, among)) }));
  return (successor) => {
    const { event, outcome } = successor;
    if (event === 'pending' || event === 'accepted') return true;
    if (event === 'rejected' || outcome?.lost || outcome?.closed) return false;
    if (outcome?.waiting) return true;
    const asked = subscriptions
      .filter(({ among }) => among.has(successor))
      .flatMap(({ patterns }) => patterns)
      .filter(({ filter }) => matches({ kind: 'any', filter, test: {} }, [successor]));
    const found = asked.some(
      ({ filter, test }) => Object.keys(test).length > 0 && matches({ kind: 'any', filter, test }, [successor]),
    );
    return asked.length > 0 && !found;
  };
}
