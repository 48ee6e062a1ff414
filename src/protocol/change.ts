/** A call that an action has made. */
export interface ChangedCall {
  /** Its place among all that the action has done, from 1. */
  readonly place: number;
  /** `approvals.ask` */
  readonly call: string;
  /** How it was made: `inline`, `activity` or `callback`. */
  readonly way: string;
  readonly start_time: string;
  /** None where the action ended without waiting for it. */
  readonly end_time: string | null;
  readonly error_code: string | null;
}

/** One step of what has happened: a transition of an entity, as the feed tells it. Times are ISO texts. A6 */
export interface Change {
  /** Where it stands in the feed. Whoever is done with it keeps this, and goes on after it. */
  readonly position: string;
  readonly kind: 'transition';
  readonly entity_type: string;
  readonly entity_key: string;
  /** Tells the entity from others that have its key before or after it. */
  readonly life: string;
  /** Grows by one in a life, without gaps. */
  readonly version: number;
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
  readonly tenant: string | null;
  /** When it came to the feed. */
  readonly time: string;
}

/** A piece of the feed. */
export interface Changes {
  readonly items: readonly Change[];
  /** Where to go on. */
  readonly position: string;
  /** Whether there is more already. */
  readonly more: boolean;
}
