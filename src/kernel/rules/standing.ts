/*
 * Tells what an entity is doing, in one word. All code that says whether an entity is healthy, settled or in progress asks here. S6.1
 *
 * standing.1. An entity has settled when nothing is under way on it and nothing that has come waits for its turn: it rests, or
 *     has used up its attempts. What rests for its successors has not.
 * standing.2. With a reservation alone, nothing is under way. It holds an entity only when something would happen without it.
 * standing.3. The health is that of the state; it is in error too once all attempts are used up.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Health } from '../../definition/state.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { StateDeployment } from '../../protocol/state-deployment.js';
import { isHeldBack, ITS_TURN, reservedBy, waitsBehind } from './reserved.js';
import { endOf, underWay } from './deploying.js';
import { stateOf } from './step.js';

export type Standing =
  /** An action runs. */
  | { readonly kind: 'running'; readonly action: string }
  /** An action was postponed, since it was in a circle of waiting. It runs again at this time (milliseconds since 1970). */
  | { readonly kind: 'postponed'; readonly action: string; readonly at: number }
  /** Something would happen, but has to wait for this: `the reservation by Clerk/one`, `the next run`, `the store`. */
  | { readonly kind: 'held'; readonly behind: string }
  /** The deployment of its state is being started. */
  | { readonly kind: 'deploying'; readonly deployment: StateDeployment }
  /** The automatic action of its state runs for the first time at a time (milliseconds since 1970). */
  | { readonly kind: 'pausing'; readonly at: number }
  /** The same, after it has failed. */
  | { readonly kind: 'retrying'; readonly at: number }
  /** All attempts of its automatic action are used up. */
  | { readonly kind: 'exhausted' }
  /** It rests for its successors. */
  | { readonly kind: 'waiting' }
  /** Nothing happens until an event comes, or a timer is due. */
  | { readonly kind: 'resting' };

export function standingOf(entity: AnyEntity, snapshot: Snapshot): Standing {
  const { running, postponed, exhausted, attempt, nextAttemptAt, enteredAt, reservation } = snapshot;
  if (running) return { kind: 'running', action: running.action };
  if (postponed) return { kind: 'postponed', action: postponed.running.action, at: postponed.at };
  const deployment = underWay(snapshot);
  if (deployment?.phase === 'ending') return { kind: 'held', behind: endOf(deployment) };
  const { stability, waiting } = stateOf(entity, snapshot);
  if (stability === 'unstable' && !exhausted) {
    if (reservation && isHeldBack(snapshot)) return { kind: 'held', behind: reservedBy(reservation) };
    return { kind: attempt > 0 ? 'retrying' : 'pausing', at: nextAttemptAt ?? enteredAt };
  }
  const behind = heldBehind(snapshot);
  if (behind !== undefined) return { kind: 'held', behind };
  if (deployment) return { kind: 'deploying', deployment };
  if (exhausted) return { kind: 'exhausted' };
  return { kind: waiting ? 'waiting' : 'resting' };
}

/** Tells whether nothing is under way on an entity, and nothing waits for its turn. standing.1 */
export function isSettled(entity: AnyEntity, snapshot: Snapshot): boolean {
  const { kind } = standingOf(entity, snapshot);
  return kind === 'resting' || kind === 'exhausted';
}

/** standing.3 */
export function healthOf(entity: AnyEntity, snapshot: Snapshot): Health {
  return snapshot.exhausted ? 'error' : stateOf(entity, snapshot).health;
}

/** Tells what keeps back an event that has come and would begin at once otherwise. standing.2 */
function heldBehind(snapshot: Snapshot): string | undefined {
  const { waiting, judgements, reservation, doubted, rollingOver } = snapshot;
  const [first] = waiting;
  if (first) return waitsBehind(snapshot, first) ?? ITS_TURN;
  if (judgements.length > 0) return reservation && !rollingOver ? reservedBy(reservation) : 'the next run';
  return doubted && 'the store';
}
