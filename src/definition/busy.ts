import type { DeclaredRejection } from './rejection.js';

/**
 * Sets how an event is handled that comes from outside, or from another entity's action, while an action runs. `wait`: it is decided
 * in the state that the entity has after the action. `abort`: where it is valid, it ends the action; elsewhere it waits. `reject`: it is rejected at once,
 * with `already_in_progress` or with a code of your own. S2.3
 */
export type Busy = 'wait' | 'abort' | 'reject' | DeclaredRejection;

/** The same, by the state in which the action runs. */
export type BusyByState<StateName extends string = string> = { readonly [S in StateName]?: Busy };

/** The parts of a declaration that are read here. */
interface Declared {
  readonly events: Readonly<Record<string, { readonly busy?: Busy | BusyByState }>>;
  readonly states: Readonly<Record<string, { readonly busy?: Busy }>>;
  readonly busy?: Busy | undefined;
}

/** Returns the most specific setting: that of the event for this state, of the event, of the state, or of the entity. */
export function busyIn({ events, states, busy }: Declared, event: string, state: string): Busy {
  if (!Object.hasOwn(events, event)) return 'wait';
  const own = events[event]!.busy;
  const forEvent = own && isByState(own) ? (Object.hasOwn(own, state) ? own[state] : undefined) : own;
  return forEvent ?? states[state]?.busy ?? busy ?? 'wait';
}

/** Tells whether an event ends the action that runs in a state instead of waiting for it, if it is valid there. S3.2 */
export function abortsIn(entity: Declared, event: string, state: string): boolean {
  return busyIn(entity, event, state) === 'abort';
}

/** The answer to an event that is rejected while an action runs in a state; nothing where it is not. */
export function rejectionIn(entity: Declared, event: string, state: string): 'reject' | DeclaredRejection | undefined {
  const busy = busyIn(entity, event, state);
  return busy === 'wait' || busy === 'abort' ? undefined : busy;
}

/** Tells a value for each state from one for all of them. */
export function isByState(busy: Busy | BusyByState): busy is BusyByState {
  return typeof busy === 'object' && typeof (busy as DeclaredRejection).code !== 'string';
}
