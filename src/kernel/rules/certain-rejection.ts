/*
 * Events that are rejected at once, since it would be in vain to wait for the running action. S2.2, S2.3
 *
 * certain-rejection.1. An event that is valid neither in the state in which an action runs, nor in any to which that may lead,
 *     is rejected at once, with what is declared for the state.
 * certain-rejection.2. An action may lead to its targets and to the state for used-up attempts. From there, subscriptions,
 *     events that wait already and events that abort may lead on. The owner of a reservation may lead the entity anywhere.
 */
import { abortsIn } from '../../definition/busy.js';
import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import { exhaustedStates } from '../../definition/retry-rules.js';
import { isSubscribedIn } from '../../definition/subscribed.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { decideRaised } from './decide.js';
import { findAction } from './step.js';

/** The rejection of an event that is not valid however the running action ends; nothing when the event has to wait for it. */
export function certainRejection(
  entity: AnyEntity,
  snapshot: Snapshot,
  request: Parameters<typeof decideRaised>[2],
): Rejection | undefined {
  const { running, reservation, reservers } = snapshot;
  if (!running || reservation || reservers.length > 0 || !Object.hasOwn(entity.events, request.event)) return undefined;
  if (statesAfter(entity, snapshot).some((state) => findAction(entity, state, request.event))) return undefined;
  const decision = decideRaised(entity, snapshot, request);
  return decision.accepted ? undefined : decision.rejection;
}

/** The states in which the entity may be when a new event is decided. certain-rejection.2 */
function statesAfter(entity: AnyEntity, { state, running, waiting }: Snapshot): readonly string[] {
  const states = new Set([state, ...asList(entity.actions[running!.action]?.to)]);
  for (const exhausted of exhaustedStates(entity.states[state])) states.add(exhausted);
  const events = new Set(waiting.map(({ event }) => event));
  // The loop also visits the states that are added while it runs.
  for (const each of states) {
    const aborting = Object.keys(entity.events).filter((event) => abortsIn(entity, event, each));
    const subscribed = Object.values(entity.subscriptions).flatMap((subscription) =>
      isSubscribedIn(entity, subscription, each) ? [subscription.raise] : [],
    );
    for (const event of [...events, ...aborting, ...subscribed]) {
      for (const target of asList(findAction(entity, each, event)?.shape.to)) states.add(target);
    }
  }
  return [...states];
}
