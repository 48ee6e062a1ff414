import type { Calendar } from './calendar/calendar.js';
import type { Duration } from './duration.js';

/** Raises an event again and again, for as long as the entity exists. S4.5 */
export type PeriodicTimer<EventName extends string = string> = {
  /** A tick in a state where the event is not valid is dropped. */
  readonly raise: EventName;
} & (
  | {
      /** The time between two ticks, counted from the entity's birth. */
      readonly every: Duration;
      readonly cron?: never;
      readonly timeZone?: never;
    }
  | {
      /** The times of the day and the days, in five fields as in crontab: minute, hour, day of the month, month, day of the week. */
      readonly cron: string;
      /** The time zone of these times, by its name in the IANA database: `Europe/Berlin`. Default: `UTC`. */
      readonly timeZone?: string;
      readonly every?: never;
    }
);

/** The calendar by which a timer ticks; nothing for one that has a period. */
export function calendarOf({ cron, timeZone = 'UTC' }: PeriodicTimer): Calendar | undefined {
  return cron === undefined ? undefined : { cron, timeZone };
}

/** Raises an event once, when the entity has been in one of several states for so long without leaving them. S4.5 */
export interface StateLimit<StateName extends string = string, EventName extends string = string> {
  /** The length of time in which it may be in these states. */
  readonly after: Duration;
  /** The event that is raised. */
  readonly raise: EventName;
  /** It runs from entering one of these states until leaving all of them. Moves between them do not start it again. */
  readonly in: readonly StateName[];
}

/** A property that holds a time or a length of time: `property('expiresAt')`. */
export interface TimeProperty {
  readonly of: `properties.${string}`;
}

/** Raises an event once, when a state has lasted for so long, or when a time has come. S4.3, S4.5 */
export type OneShotTimer<EventName extends string = string> = {
  /** The event that is raised. */
  readonly raise: EventName;
} & (
  | {
      /** A property holds milliseconds or a text such as `30m`. While it has no value, the event is not raised. */
      readonly after: Duration | TimeProperty;
      readonly at?: never;
    }
  | {
      /**
       * The property holds an ISO time with its zone, or milliseconds since 1970. A time that is over when the state is entered raises the
       * event at once, unless the event has just been raised by it.
       */
      readonly at: TimeProperty;
      readonly after?: never;
    }
);
