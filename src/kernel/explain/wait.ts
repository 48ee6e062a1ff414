import type { Calendar } from '../../definition/calendar/calendar.js';
import type { ErrorRecord } from '../../protocol/error-record.js';
import type { EndRecord } from '../../definition/end-record.js';
import type { StateDeploymentPhase } from '../../protocol/state-deployment.js';
import type { Hold } from '../../protocol/reservation.js';
import type { Unmet } from './unmet.js';

/** Which execution of an automatic action since its state was entered. S3.5 */
export interface Attempt {
  /** Counts from 1. */
  readonly attempt: number;
  /** The largest number of attempts; none where it is tried for ever. */
  readonly attempts?: number;
  /** The error of the execution before. */
  readonly lastError?: ErrorRecord;
}

/** Something that a running action waits for, on another entity or from outside. S3.8, S5.4 */
export interface ActionAwait {
  /**
   * That an event and all that it sets off has settled, how the entity is, to reserve it, or that it admits an event; `answer`: the
   * answer from outside to a call.
   */
  readonly kind: 'event' | 'view' | 'reservation' | 'seal' | 'answer';
  /** `LogicalServer/orders`; of an answer the call, `approvals.ask`. */
  readonly on: string;
  readonly event?: string;
  /** When the action stops waiting. */
  readonly until: number;
  /** Of an answer: since when it is awaited. */
  readonly since?: number;
}

/** A call of a resource that is under way. One that is answered from outside is among what the action awaits. A2 */
export interface CallUnderWay {
  /** `databases.createInstance` */
  readonly call: string;
  readonly since: number;
}

/** Something that an entity waits for, or the reason why it does not go on. All times are milliseconds since 1970. S5.4 */
export type Wait =
  | ({
      /** An action runs. Without anything in `awaits` and `calls`, its code waits for nothing that is known here. */
      readonly kind: 'action';
      readonly action: string;
      readonly automatic: boolean;
      readonly since: number;
      readonly aborted?: boolean;
      /** When an aborted action ends in any case. Until then it waits for the end of its calls. */
      readonly endsBy?: number;
      readonly awaits: readonly ActionAwait[];
      /** The calls of its resources that are under way, and how many others wait for their turn. A2 */
      readonly calls?: readonly CallUnderWay[];
      readonly queued?: number;
    } & Attempt)
  /** The automatic action runs (again) at a time. */
  | ({ readonly kind: 'attempt'; readonly action: string; readonly at: number } & Attempt)
  /** All attempts of the automatic action have been used up since a time: only an event leads on. */
  | ({ readonly kind: 'exhausted'; readonly action: string; readonly since: number } & Attempt)
  /** An action that had closed a circle of waiting by its reservations runs again at a time. */
  | { readonly kind: 'postponed'; readonly action: string; readonly at: number }
  | {
      /** Another entity has reserved this one. S3.6 */
      readonly kind: 'reserved';
      readonly by: string;
      readonly operation: string;
      readonly hold: Hold;
      /** The end of its lease. */
      readonly until: number;
      /** Tells whether it waits for the events or the word of the owner, even after the lease has ended. */
      readonly sealed?: boolean;
    }
  /** Another entity waits to reserve this one. */
  | { readonly kind: 'reserver'; readonly by: string; readonly operation: string; readonly until: number }
  | {
      /** An event has come, and waits. S2.3 */
      readonly kind: 'event';
      readonly event: string;
      readonly operation: string;
      /** The action or reservation that has to end first; none when the event is next. */
      readonly behind?: string;
    }
  | {
      /** The components that a state has deployed. W1 */
      readonly kind: 'deployment';
      readonly deployment: string;
      /** Its workflow, under whose name its components can be seen. */
      readonly id: string;
      readonly phase: StateDeploymentPhase;
      readonly since: number;
      /** Until when actions wait for its end. */
      readonly until?: number;
      /** How it has ended by itself. */
      readonly end?: EndRecord;
    }
  | {
      /** A subscription that could lead out of a waiting state. S4.3 */
      readonly kind: 'subscription';
      readonly subscription: string;
      /** The event that it raises. */
      readonly event: string;
      /** `all SqlApplication in Ready` */
      readonly pattern: string;
      /** The parts that do not hold; empty when the pattern holds. */
      readonly unmet: readonly Unmet[];
      /** Tells whether its match has been used up, and does not count until it appears anew. */
      readonly used: boolean;
      /** When a used match whose action failed counts again. */
      readonly again?: number;
      /** The guard of its event that does not hold, in words. S2.2 */
      readonly guard?: string;
    }
  | {
      /** An event that time will raise, if the entity stays in its state until then. S4.5 */
      readonly kind: 'timer';
      readonly timer: string;
      readonly event: string;
      readonly at: number;
      /** The period of a periodic timer, in milliseconds. */
      readonly period?: number;
      /** The calendar of a timer that ticks by one. */
      readonly calendar?: Calendar;
      /** The guard that does not hold, in words: then the event also waits for that after its time. S2.2 */
      readonly guard?: string;
    }
  | {
      /** An event with `answer: true`, which leads out of the waiting state in which the entity rests. S1.5 */
      readonly kind: 'answer';
      readonly event: string;
      /** Since when it is awaited. */
      readonly since: number;
      /** The guard of the event that does not hold, in words. S2.2 */
      readonly guard?: string;
    }
  | {
      /** An event that somebody outside will raise at an address that the entity has made. A2 */
      readonly kind: 'callback';
      readonly event: string;
      /** Since when the address is there. */
      readonly since: number;
      /** Until when it can be answered. */
      readonly until: number;
    }
  /** A successor that was lost: nobody waits for it. S4.4 */
  | { readonly kind: 'lost'; readonly successor: string }
  /** A successor in an error state, of an entity that has settled in one without a failure of its own: nobody waits for it. */
  | { readonly kind: 'failed'; readonly successor: string };
