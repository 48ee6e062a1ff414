import type { DeclaredRejection } from './rejection.js';

/**
 * What becomes of an event that comes from outside or from another entity's action while an action runs. `wait`: it is decided in the
 * state that the action leaves. `abort`: where it is valid, it ends the action; elsewhere it waits. `reject`: it is rejected at once,
 * with `already_in_progress` or with a code of your own. S2.3
 */
export type Busy = 'wait' | 'abort' | 'reject' | DeclaredRejection;

/** The same, by the state in which the action runs. */
export type BusyByState<StateName extends string = string> = { readonly [S in StateName]?: Busy };

/** What is read of a declaration. */
interface Declared {
  readonly events: Readonly<Record<string, { readonly busy?: Busy | BusyByState }>>;
  readonly states: Readonly<Record<string, { readonly busy?: Busy }>>;
  readonly busy?: Busy | undefined;
}

/** What is declared for an event in a state: for the event in this state, the event, the state or the entity, in this order. */
export function busyIn({ events, states, busy }: Declared, event: string, state: string): Busy {
  if (!Object.hasOwn(events, event)) return 'wait';
  const own = events[event]!.busy;
  const forEvent = own && isByState(own) ? (Object.hasOwn(own, state) ? own[state] : undefined) : own;
  return forEvent ?? states[state]?.busy ?? busy ?? 'wait';
}

/** Whether an event ends the action that runs in a state, instead of waiting for it, provided that it is valid there. S3.2 */
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
