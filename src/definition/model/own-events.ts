import type { AnyEntity } from '../entity.js';

/** The events that time, the end of what it has deployed, or a request to cancel raises on an entity in a state, whatever its successors do. S4.5, S4.7 */
export function unconditionalEvents(entity: AnyEntity, state: string): readonly string[] {
  const { states, subscriptions, timers, limits = {}, cancel } = entity;
  const { deadline, ended } = states[state] ?? {};
  return [
    ...(ended === undefined ? [] : [ended]),
    ...(deadline ? [deadline.raise] : []),
    ...Object.values(subscriptions).flatMap(({ timeout }) => (timeout ? [timeout.raise] : [])),
    ...Object.values(limits).flatMap((limit) => (limit.in.includes(state) ? [limit.raise] : [])),
    ...Object.values(timers).map(({ raise }) => raise),
    ...(cancel === undefined ? [] : [cancel]),
  ];
}

/** All events that an entity raises on itself. */
export function ownEvents(entity: AnyEntity): readonly string[] {
  return [
    ...Object.keys(entity.states).flatMap((state) => unconditionalEvents(entity, state)),
    ...Object.values(entity.subscriptions).map(({ raise }) => raise),
  ];
}
