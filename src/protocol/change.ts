/** A call that an action has made. */
export interface ChangedCall {
  /** Its place among all that the action has done, from 1. */
  readonly place: number;
  /** `approvals.ask` */
  readonly call: string;
  /** How it was made: `inline`, `activity` or `callback`. */
  readonly mode: string;
  readonly start_time: string;
  /** None where the action ended without waiting for it. */
  readonly end_time: string | null;
  readonly error_code: string | null;
}

/** Something that an entity waits for. Times are ISO texts. */
export interface ChangedWait {
  /**
   * For what: `answer` from outside to a call, `event` on another entity, `reservation` of another entity, an answer from outside at an
   * `address`, a pattern among `successors`, the first `attempt` of an action, or the time of a `timer`.
   */
  readonly kind: string;
  /** The call, the other entity, the event that is raised, the pattern, or the action. */
  readonly on: string;
  /** Of `event`: which event. */
  readonly event: string | null;
  readonly since: string | null;
  readonly until: string | null;
}

/** The fields that all changes have. Times are ISO texts. A6 */
interface AnyChange {
  /** Where it stands in the feed. Whoever is done with it keeps this, and goes on after it. */
  readonly position: string;
  readonly entity_type: string;
  readonly entity_key: string;
  /** The life of the entity: another one may use its key before or after it. */
  readonly life: string;
  /** Of the entity: grows by one with each transition of a life, without gaps. */
  readonly version: number;
  readonly tenant: string | null;
  /** When it came to the feed. */
  readonly time: string;
}

/** A transition of an entity. A6 */
export interface TransitionChange extends AnyChange {
  readonly kind: 'transition';
  /** The request id of the operation. */
  readonly operation: string | null;
  readonly event: string | null;
  readonly action_name: string | null;
  readonly start_state: string | null;
  readonly end_state: string | null;
  readonly end_state_health: string | null;
  readonly outcome: string | null;
  readonly error: string | null;
  readonly transition_time: string | null;
  /** The calls that the action has made, each a step. A2 */
  readonly calls: readonly ChangedCall[];
}

/**
 * An entity waits for something else than before, since its last transition. Its next transition ends all that it waits for. A wait that
 * ends at once need not be told. A6
 */
export interface WaitsChange extends AnyChange {
  readonly kind: 'waits';
  /** All that it waits for now; empty where it waits for nothing any more. */
  readonly waits: readonly ChangedWait[];
}

/** One step of what has happened, as the feed tells it. A6 */
export type Change = TransitionChange | WaitsChange;

/** A piece of the feed. */
export interface Changes {
  readonly items: readonly Change[];
  /** Where to continue. */
  readonly position: string;
  /** Tells whether there is more already. */
  readonly more: boolean;
}
