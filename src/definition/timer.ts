import type { Duration } from './duration.js';

/** Raises an event again and again, for as long as the entity exists. S4.5 */
export interface PeriodicTimer<EventName extends string = string> {
  /** The time between two ticks, counted from the entity's birth. */
  readonly every: Duration;
  /** A tick in a state where the event is not valid is dropped. */
  readonly raise: EventName;
}

/** Raises an event once, when the entity has been in one of several states for so long without leaving them. S4.5 */
export interface StateLimit<
  StateName extends string = string,
  EventName extends string = string,
> extends OneShotTimer<EventName> {
  /** It runs from entering one of these states until leaving all of them. Moves between them do not start it again. */
  readonly in: readonly StateName[];
}

/** Raises an event once, when a state has lasted for so long. S4.3, S4.5 */
export interface OneShotTimer<EventName extends string = string> {
  readonly after: Duration;
  readonly raise: EventName;
}
