import type { AnyEntity } from '../entity.js';

/** The events that time raises on an entity, or a request to cancel: whatever its successors do. S4.5, S4.7 */
export function unconditionalEvents({ states, subscriptions, timers, cancel }: AnyEntity): readonly string[] {
  return [
    ...Object.values(states).flatMap(({ deadline }) => (deadline ? [deadline.raise] : [])),
    ...Object.values(subscriptions).flatMap(({ timeout }) => (timeout ? [timeout.raise] : [])),
    ...Object.values(timers).map(({ raise }) => raise),
    ...(cancel === undefined ? [] : [cancel]),
  ];
}

/** All events that an entity raises on itself. */
export function ownEvents(entity: AnyEntity): readonly string[] {
  return [...unconditionalEvents(entity), ...Object.values(entity.subscriptions).map(({ raise }) => raise)];
}
