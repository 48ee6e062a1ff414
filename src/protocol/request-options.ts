import type { Actor } from './actor.js';
import type { ExpectedVersion } from './request.js';

/** Says who raises an event, and under which id. */
export interface RequestOptions {
  /**
   * The same id again gives the first outcome (S2.5). A random one by default. It is also the id of the operation: use each for one event
   * on one entity. With the same id on another entity, both are one operation, which may end before the second event does.
   */
  readonly requestId?: string;
  /** Tells who asks: the entity decides whether they may. Without an actor, the client is trusted. S6.5 */
  readonly actor?: Actor;
}

/** Holds the options of a request that creates an entity. */
export interface BirthOptions extends RequestOptions {
  /** The tenant of the new entity. Where the actor has a tenant, it is that one. S6.5 */
  readonly tenant?: string;
}

/** Holds the options of a request that raises an event. */
export interface RaiseOptions extends RequestOptions {
  /**
   * The version of the entity that the caller has seen. When it has moved on, the event is rejected with `version_conflict`.
   */
  readonly expects?: ExpectedVersion;
  /**
   * Sets for how many milliseconds the answer may be held back until the event has settled, at most `LONGEST_HOLD_MS`. An event that
   * settles in this time is answered with its outcome. S4.7
   */
  readonly holdMs?: number;
}
